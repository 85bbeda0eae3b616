// The routes that change an order's state: payments, refunds, shipment and cancellation (interface §4).
import {
  type About,
  type ApiRequest,
  cursorPage,
  data,
  listed,
  page,
  pageOnly,
  required,
  route,
} from "@tradepost/http";
import { withIdempotencyKey } from "@tradepost/idempotency";
import { READ, WRITE } from "../route-parts.ts";
import { type Action, type ActionName, actionInputs } from "./action-input.ts";
import { applyAction } from "./apply-action.ts";
import type { OrderContext } from "./order-routes.ts";
import { order, paymentOrRefund, refusal } from "./order-schema.ts";
import { SHIPMENTS_MAX } from "./shipments.ts";
import { readPayments } from "./timeline-store.ts";

const tag = "Orders";

const listPayments = ({ tenants }: Pick<OrderContext, "tenants">) =>
  route("GET /v1/orders/:id/payments", {
    ...READ,
    query: pageOnly,
    about: {
      id: "listPayments",
      tag,
      summary: "List the payments and refunds of an order",
      description: "The newest come first.",
      responses: { 200: page(paymentOrRefund) },
    },
    handle: async ({ principal, id, query }) => {
      const payments = required(await readPayments(tenants.of(principal.tenantId), id, query), "order");
      return listed(cursorPage(payments, query.limit, { shown: ({ shown }) => shown }));
    },
  });

type ActionAbout = Pick<About, "id" | "summary" | "description" | "errors" | "emits">;

/** The event depends on the transition. */
const act =
  (name: ActionName, about: ActionAbout) =>
  ({ tenants, onCommit }: Pick<OrderContext, "tenants" | "onCommit">) =>
    route<object>(`POST /v1/orders/:id/${name}`, {
      ...WRITE,
      isIdempotent: true,
      body: actionInputs[name],
      ...(name !== "payments" && { bodyIsOptional: true as const }),
      about: { tag, responses: { 200: data(order) }, etag: true, ifMatch: true, ...about },
      handle: withIdempotencyKey(tenants, async (tenant, request: ApiRequest<object, undefined>) => {
        const action = { name, ...request.body } as Action;
        const { id, idempotencyKey, raw } = request;
        const conditions = { idempotencyKey, ifMatch: raw.headers["if-match"] };
        const response = await applyAction(tenant, id, action, conditions, request);
        onCommit();
        return response;
      }),
    });

const pay = act("payments", {
  id: "recordPayment",
  summary: "Record a payment of an order",
  description: `Reports that a payment succeeded or failed; the platform does not move money. \`amount\` is the amount due by default, and at most
that. After a part the order is \`partially_paid\`, and the change is listed as \`order.updated\` until nothing is due. A failed payment never
changes a paid or partially paid order. After a refund an order takes no payment.

\`reference\` names the payment in the system that made it. A payment with the reference, status and amount of an earlier one changes
nothing and is 200; another amount is 409 \`reference_reused\`.`,
  errors: [
    refusal("order_already_paid"),
    refusal("order_cancelled"),
    refusal("order_refunded"),
    refusal("reference_reused"),
  ],
  emits: ["order.paid", "order.payment_failed"],
});

const fulfill = act("fulfill", {
  id: "fulfillOrder",
  summary: "Ship an order, or a part of it",
  description: `The order must be placed and not refunded. It need not be paid. \`lines\` are what the shipment has; without them it has all that is still
to ship. The order stays placed, and the change is listed as \`order.updated\`, until the last unit is shipped. An order has at most ${SHIPMENTS_MAX} shipments,
the last of which must have all that is left.`,
  errors: [refusal("invalid_transition")],
  emits: ["order.fulfilled"],
});

const deliver = act("deliver", {
  id: "deliverOrder",
  summary: "Mark shipments of an order as delivered",
  description: `Of one shipment, or of all that are shipped. The order is delivered once everything is shipped and delivered; until then the change is
listed as \`order.updated\`. A \`shipmentId\` that is delivered changes nothing and is 200.`,
  errors: [refusal("invalid_transition")],
  emits: ["order.delivered"],
});

const cancel = act("cancel", {
  id: "cancelOrder",
  summary: "Cancel an order",
  description: `The order must be placed, and nothing shipped. If it holds money, it must be refunded first, or with \`"refund": true\` in the same
transaction: 409 \`refund_required\`. With a \`reason\`, an order of an erased customer is 409 \`customer_erased\`.`,
  errors: [refusal("invalid_transition"), refusal("refund_required"), refusal("customer_erased")],
  emits: ["order.cancelled", "order.refunded"],
});

const refund = act("refund", {
  id: "refundOrder",
  summary: "Refund an order, or a part of it",
  description: `Reports a refund of what was paid; the platform does not move money. \`amount\` is all that is left by default. With \`lines\` it is by
default what their units cost with tax, rounded half up once, at most what is left; discounts of the order are not shared out. Several
refunds may follow one another until nothing is left.

A refund with the \`reference\`, amount and lines of an earlier one changes nothing and is 200; another amount or other lines are 409
\`reference_reused\`. With a \`reason\`, an order of an erased customer is 409 \`customer_erased\`.`,
  errors: [
    refusal("order_not_paid"),
    refusal("nothing_to_refund"),
    refusal("reference_reused"),
    refusal("customer_erased"),
  ],
  emits: ["order.refunded"],
});

export const orderActionRoutes = [listPayments, pay, fulfill, deliver, cancel, refund];
