// A new order while it is typed, with the texts of the fields. Pure.
import type { BodyOf } from "@tradepost/client/operations";
import { type AddressTexts, withTexts } from "../../format/address.ts";
import { withPoint } from "../../format/money.ts";

type NewOrder = BodyOf<"placeOrder">;

export interface DraftLine {
  /** Identifies the line while lines are added and removed. */
  readonly key: number;
  readonly sku: string;
  readonly name: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly taxAmount: string;
}

export interface Draft {
  readonly lines: readonly DraftLine[];
  /** Undefined until one is chosen; meanwhile the shop's usual one counts. */
  readonly currency: string | undefined;
  readonly channel: NonNullable<NewOrder["channel"]>;
  readonly shippingTotal: string;
  readonly taxTotal: string;
  readonly discountTotal: string;
  readonly customerNote: string;
  readonly internalNote: string;
  readonly orderNumber: string;
  readonly externalId: string;
}

export const EMPTY_DRAFT: Draft = {
  lines: [emptyLine(0)],
  currency: undefined,
  channel: "admin",
  shippingTotal: "",
  taxTotal: "",
  discountTotal: "",
  customerNote: "",
  internalNote: "",
  orderNumber: "",
  externalId: "",
};

export const LINE_FIELDS = ["sku", "name", "quantity", "unitPrice", "taxAmount"] as const;

export function withLine({ lines, ...draft }: Draft): Draft {
  const key = Math.max(-1, ...lines.map((line) => line.key)) + 1;
  return { ...draft, lines: [...lines, emptyLine(key)] };
}

/** `items[1].quantity`, as the platform's errors name it. */
export function lineFieldName(index: number, field: (typeof LINE_FIELDS)[number]): string {
  return `items[${index}].${field}`;
}

interface Choices {
  readonly customerId: string;
  readonly currency: string;
  readonly shipping: AddressTexts;
  readonly billing: AddressTexts;
}

export function bodyOf(draft: Draft, { customerId, currency, shipping, billing }: Choices): NewOrder {
  const shippingAddress = withTexts(undefined, shipping);
  const billingAddress = withTexts(undefined, billing);
  return {
    customerId,
    items: draft.lines.map(({ sku, name, quantity, unitPrice, taxAmount }) => ({
      sku: sku.trim(),
      name: name.trim(),
      quantity: Number(quantity),
      unitPrice: Number(withPoint(unitPrice)),
      ...amount("taxAmount", taxAmount),
    })),
    currency,
    channel: draft.channel,
    ...amount("shippingTotal", draft.shippingTotal),
    ...amount("taxTotal", draft.taxTotal),
    ...amount("discountTotal", draft.discountTotal),
    ...(shippingAddress && { shippingAddress }),
    ...(billingAddress && { billingAddress }),
    ...text("customerNote", draft.customerNote),
    ...text("internalNote", draft.internalNote),
    ...text("orderNumber", draft.orderNumber),
    ...text("externalId", draft.externalId),
  };
}

function emptyLine(key: number): DraftLine {
  return { key, sku: "", name: "", quantity: "1", unitPrice: "", taxAmount: "" };
}

function amount<Name extends string>(name: Name, value: string): { [Field in Name]?: number } {
  return value.trim() === "" ? {} : ({ [name]: Number(withPoint(value)) } as { [Field in Name]: number });
}

function text<Name extends string>(name: Name, value: string): { [Field in Name]?: string } {
  return value.trim() === "" ? {} : ({ [name]: value.trim() } as { [Field in Name]: string });
}
