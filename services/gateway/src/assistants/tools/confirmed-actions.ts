// The first call returns a `confirm` value; the second, with that value, acts only on the version of the order that the first
// one showed.
import { ApiError, invalid } from "@tradepost/http";
import { z } from "zod";
import { amount, idempotencyKeyOf, lines, orderId, requestKey, shortText } from "../arguments.ts";
import { type Confirmable, type Confirmed, confirmationOf, confirmedBy } from "../confirmation.ts";
import * as schema from "../output-schema.ts";
import { type CamelCased, camelCased, pathOf } from "../service-calls.ts";
import { type ApiOrder, conciseOrder, orderSchema } from "../shown-order.ts";
import { READ_CRM, type ToolContext, type ToolResult, tool, WRITE_CRM } from "../tool.ts";
import { readOrder } from "./read-orders.ts";

const output = schema.object(
  {
    result: schema.oneOf("done", "already_done", "confirmation_required"),
    confirm: schema.text,
    confirm_expires_at: schema.text,
    amount: schema.amount,
    amount_before_rounding: schema.amount,
    currency: schema.text,
    order: orderSchema,
  },
  ["result", "order"],
);

const confirm = z
  .string("must be a string")
  .max(200)
  .optional()
  .describe("The value from the first call, once the user has agreed.");

export const refundOrder = tool({
  name: "refund_order",
  title: "Refund an order",
  description:
    "Gives money of a paid order back, all or a part. Two calls: the first changes nothing and returns confirm; show the user order and amount, and after a yes call again with the same arguments and confirm. Never confirm by yourself. Not for unpaid orders (cancel_order).",
  needs: [READ_CRM, WRITE_CRM],
  effect: "destroys",
  isIdempotent: true,
  input: z.strictObject({
    order_id: orderId,
    lines: lines.describe("Which units it is for; their price and tax are the default amount."),
    amount: amount.optional().describe("Default: all that is not refunded yet."),
    reason: shortText(1_000).optional().describe("Why; kept with the order."),
    reference: shortText(255).optional().describe("The refund's id elsewhere."),
    confirm,
    request_key: requestKey,
  }),
  output,
  run: async (args, context) => {
    const { reason, reference } = args;
    const lines = camelCased(args.lines);
    const body = (amount: number | undefined) => ({ lines, amount, reason, reference });
    const bound = { amount: args.amount, lines };
    return await actOnceConfirmed({ ...args, action: "refund", lines, bound, body }, context);
  },
});

export const cancelOrder = tool({
  name: "cancel_order",
  title: "Cancel an order",
  description:
    "Cancels an order of which nothing is sent; this cannot be undone. Two calls: the first changes nothing and returns confirm; show the user the order, and after a yes call again with confirm. Never confirm by yourself. If the order holds money, refund gives it back first.",
  needs: [READ_CRM, WRITE_CRM],
  effect: "destroys",
  isIdempotent: true,
  input: z.strictObject({
    order_id: orderId,
    refund: z.boolean("must be true or false").optional().describe("True to refund what is held, too."),
    reason: shortText(1_000).optional().describe("Why; kept with the order."),
    confirm,
    request_key: requestKey,
  }),
  output,
  run: async (args, context) => {
    const { reason, refund } = args;
    const body = () => ({ reason, refund });
    return await actOnceConfirmed({ ...args, action: "cancel", bound: { refund }, body }, context);
  },
});

interface ConfirmedAction {
  readonly action: Confirmable["action"];
  readonly order_id: string;
  readonly amount?: number | undefined;
  readonly lines?: CamelCased<z.output<typeof lines>>;
  readonly refund?: boolean | undefined;
  readonly bound: object;
  readonly confirm?: string | undefined;
  readonly request_key?: string | undefined;
  readonly body: (amount: number | undefined) => object;
}

async function actOnceConfirmed(wanted: ConfirmedAction, context: ToolContext): Promise<ToolResult> {
  const confirmed =
    wanted.confirm === undefined
      ? null
      : confirmedBy(wanted.confirm, confirmableOf(wanted, context), context.confirmationSigner, Date.now());
  if (confirmed === null) {
    return await askToConfirm(wanted, context, { isRepeated: wanted.confirm !== undefined });
  }
  try {
    return await act(wanted, confirmed, context);
  } catch (error) {
    const code = error instanceof ApiError ? error.code : null;
    if (code === "version_mismatch") return await askToConfirm(wanted, context, { isRepeated: true });
    if (code !== "idempotency_key_reused" || wanted.request_key !== undefined) throw error;
    const message = "This confirmation has already taken effect, with another reason or reference.";
    throw new ApiError("conflict", message);
  }
}

async function act(
  { action, order_id, body, confirm = "", request_key }: ConfirmedAction,
  { version, amount: confirmedAmount }: Confirmed,
  { services }: ToolContext,
): Promise<ToolResult> {
  const { data, isReplayed } = await services.post<ApiOrder>(pathOf("orders", order_id, `/${action}`), {
    body: body(confirmedAmount ?? undefined),
    // A confirmation takes effect once.
    idempotencyKey: idempotencyKeyOf(request_key) ?? `mcp-confirm:${confirm}`,
    version,
  });
  const done = action === "refund" ? "refunded" : "cancelled";
  // A repeated reference with the same amount changes nothing (interface §4).
  const isUnchanged = data.version === version;
  return {
    summary: isReplayed
      ? `Already ${done} by an earlier call; nothing changed now. The order is shown as it was then.`
      : isUnchanged
        ? "Nothing changed: the order already has a refund with this reference and amount. Tell the user. A further refund needs another reference."
        : `The order is ${done}: ${data.status} and ${data.paymentStatus}.`,
    structured: {
      result: isReplayed || isUnchanged ? "already_done" : "done",
      ...(confirmedAmount !== null && { amount: confirmedAmount, currency: data.currency }),
      order: conciseOrder(data),
    },
  };
}

async function askToConfirm(
  wanted: ConfirmedAction,
  context: ToolContext,
  { isRepeated }: { isRepeated: boolean },
): Promise<ToolResult> {
  const order = await readOrder(wanted.order_id, context);
  const refunds = wanted.refund === true && order.allowedActions.includes("cancel_and_refund");
  if (!refunds && !order.allowedActions.includes(wanted.action)) throw refusalOf(wanted.action, order);
  const lines = wanted.amount === undefined ? wanted.lines : undefined;
  const givesBack = refunds || (wanted.action === "refund" && lines === undefined);
  const confirmed = {
    version: order.version,
    amount: givesBack ? amountToRefund(order, wanted.amount) : null,
  };
  const { confirm, expiresAt } = confirmationOf(
    confirmableOf(wanted, context),
    confirmed,
    context.confirmationSigner,
    Date.now(),
  );
  const changed = isRepeated
    ? "The confirm value does not fit: the order or the arguments have changed, or it has expired. "
    : "";
  return {
    summary: `${changed}Nothing has happened yet. Show the user what would ${wanted.action === "refund" ? "be refunded" : "be cancelled"}${lines === undefined ? "" : ": amount_before_rounding, rounded as the currency is"}. Only if they agree, call the tool again with the same arguments and this confirm value.`,
    structured: {
      result: "confirmation_required",
      confirm,
      confirm_expires_at: expiresAt,
      ...(confirmed.amount !== null && { amount: confirmed.amount, currency: order.currency }),
      ...(lines && { amount_before_rounding: costOf(order, lines), currency: order.currency }),
      order: conciseOrder(order),
    },
  };
}

/** Before rounding: only the service knows the decimals of every currency. */
function costOf(order: ApiOrder, lines: NonNullable<ConfirmedAction["lines"]>): number {
  const cost = lines.map(({ lineId, quantity }) => {
    const line = order.items.find(({ id }) => id === lineId.toLowerCase());
    return (
      quantity * (Number(line?.unitPrice ?? 0) + Number(line?.taxAmount ?? 0) / Number(line?.quantity ?? 1))
    );
  });
  const sum = cost.reduce((total, one) => total + one, 0);
  return Math.min(Number(sum.toFixed(DECIMALS_MAX)), leftToRefund(order));
}

function confirmableOf(
  { action, order_id: id, bound: boundArguments }: ConfirmedAction,
  { principal }: ToolContext,
): Confirmable {
  const { tenantId, actor } = principal;
  return { action, tenantId, actorId: actor.id, orderId: id, boundArguments };
}

const DECIMALS_MAX = 4;

/** The service checks the decimals of the currency. */
function amountToRefund(order: ApiOrder, wanted: number | undefined): number {
  const left = leftToRefund(order);
  if (wanted === 0) throw invalid([{ path: "amount", message: "must be more than 0" }]);
  if (wanted !== undefined && wanted !== Number(wanted.toFixed(DECIMALS_MAX))) {
    throw invalid([{ path: "amount", message: `must have at most ${DECIMALS_MAX} decimals` }]);
  }
  if (wanted !== undefined && wanted > left) {
    throw invalid([{ path: "amount", message: `must be at most ${left}, the amount not yet refunded` }]);
  }
  return wanted ?? left;
}

function leftToRefund({ paidTotal, refundedTotal }: ApiOrder): number {
  return Number((paidTotal - refundedTotal).toFixed(DECIMALS_MAX));
}

/** The error of the service for an order in this state (interface §4). */
function refusalOf(action: Confirmable["action"], order: ApiOrder): ApiError {
  const { status, paymentStatus, allowedActions } = order;
  const more = { extra: { state: { status, paymentStatus, allowedActions } } };
  if (action === "cancel") {
    return status === "placed" && allowedActions.includes("cancel_and_refund")
      ? new ApiError("refund_required", "Refund the order before you cancel it.", more)
      : new ApiError("invalid_transition", `An order that is ${status} cannot be cancelled.`, more);
  }
  return paymentStatus === "unpaid" || paymentStatus === "failed"
    ? new ApiError("order_not_paid", "The order is not paid.", more)
    : new ApiError("nothing_to_refund", "The whole payment is already refunded.", more);
}
