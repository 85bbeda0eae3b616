import type { BodyOf, DataOf, OperationId } from "@tradepost/client/operations";
import { withPoint } from "../../format/money.ts";
import type { OrderAction } from "../../format/order-words.ts";

export type Operation = "recordPayment" | "fulfillOrder" | "deliverOrder" | "cancelOrder" | "refundOrder";

export type ActionBody = { readonly [Id in Operation]: BodyOf<Id> }[Operation];

export const STALE = [
  "getOrder",
  "listOrders",
  "getOrderTimeline",
  "listPayments",
  "getOrderStatistics",
] as const satisfies readonly OperationId[];

interface ActionText {
  readonly operation: Operation;
  readonly title: (orderNumber: string) => string;
  readonly text: string;
  /** Completes the sentence `Order 1001 …` after the action: `is shipped`. */
  readonly done: (order: DataOf<"getOrder">) => string;
  readonly isDanger?: true;
}

export const ACTIONS: Readonly<Record<OrderAction, ActionText>> = {
  payments: {
    operation: "recordPayment",
    title: (number) => `Record a payment for order ${number}`,
    text: "Tradepost moves no money. Record what the payment provider says.",
    done: ({ paymentStatus }) =>
      paymentStatus === "paid"
        ? "is paid"
        : paymentStatus === "failed"
          ? "has a failed payment"
          : "is partly paid",
  },
  fulfill: {
    operation: "fulfillOrder",
    title: (number) => `Ship order ${number}?`,
    text: "The items have left the house. The addresses can no longer be changed, nor the order cancelled.",
    done: ({ fulfillment }) => (fulfillment === "all" ? "is shipped" : "is partly shipped"),
  },
  deliver: {
    operation: "deliverOrder",
    title: (number) => `Mark order ${number} as delivered?`,
    text: "The items have reached the customer. This cannot be undone.",
    done: ({ status }) => (status === "delivered" ? "is delivered" : "is partly delivered"),
  },
  cancel: {
    operation: "cancelOrder",
    title: (number) => `Cancel order ${number}?`,
    text: "This cannot be undone.",
    done: () => "is cancelled",
    isDanger: true,
  },
  cancel_and_refund: {
    operation: "cancelOrder",
    title: (number) => `Cancel and refund order ${number}?`,
    text: "Tradepost moves no money. Refund it at the payment provider first. This cannot be undone.",
    done: () => "is refunded and cancelled",
    isDanger: true,
  },
  refund: {
    operation: "refundOrder",
    title: (number) => `Refund order ${number}?`,
    text: "Tradepost moves no money. Refund it at the payment provider first, then record it here. This cannot be undone.",
    done: ({ paymentStatus }) => (paymentStatus === "refunded" ? "is refunded" : "is partly refunded"),
  },
};

/** The names of the fields with the units of lines begin with this. */
export const UNITS = "units ";

/** Undefined if the form does not ask for units. */
function linesIn(form: FormData) {
  const fields = [...form].filter(([name]) => name.startsWith(UNITS));
  const lines = fields.map(([name, value]) => ({
    lineId: name.slice(UNITS.length),
    quantity: Number(value),
  }));
  return fields.length === 0 ? undefined : lines.filter(({ quantity }) => quantity > 0);
}

export function bodyOf(action: OrderAction, form: FormData): ActionBody {
  const text = <Name extends string>(name: Name): { [Field in Name]?: string } => {
    const value = String(form.get(name) ?? "").trim();
    return value === "" ? {} : ({ [name]: value } as { [Field in Name]: string });
  };
  const amount = withPoint(String(form.get("amount") ?? ""));
  const withAmount = amount === "" ? {} : { amount: Number(amount) };
  const lines = linesIn(form);
  switch (action) {
    case "payments": {
      const status = form.get("status") === "failed" ? "failed" : "succeeded";
      return { status, ...withAmount, ...text("reference") };
    }
    case "fulfill":
      return { ...(lines && { lines }), ...text("trackingNumber"), ...text("carrier") };
    case "deliver":
      return {};
    case "cancel":
      return text("reason");
    case "cancel_and_refund":
      return { ...text("reason"), refund: true };
    case "refund":
      return { ...(lines?.length && { lines }), ...withAmount, ...text("reason"), ...text("reference") };
  }
}
