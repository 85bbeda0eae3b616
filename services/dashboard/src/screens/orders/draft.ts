import type { BodyOf, ItemOf } from "@tradepost/client/operations";
import { type AddressTexts, withTexts } from "../../format/address.ts";
import { amountText, withPoint } from "../../format/money.ts";
import { decimalSign } from "../../format/shop.ts";

type NewOrder = BodyOf<"placeOrder">;

export interface DraftLine {
  /** Identifies the line while lines are added and removed. */
  readonly key: number;
  readonly sku: string;
  readonly name: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly taxAmount: string;
  /** The tax of one piece, by which the tax follows the quantity; undefined once the tax was typed. */
  readonly pieceTax?: number | undefined;
}

export interface Draft {
  readonly lines: readonly DraftLine[];
  /** Undefined until a currency is chosen; until then, the shop's counts. */
  readonly currency: string | undefined;
  readonly shippingTotal: string;
  readonly taxTotal: string;
  readonly discountTotal: string;
}

export const EMPTY_DRAFT: Draft = {
  lines: [emptyLine(0)],
  currency: undefined,
  shippingTotal: "",
  taxTotal: "",
  discountTotal: "",
};

export function withLine(lines: Draft["lines"]): Draft["lines"] {
  return [...lines, emptyLine(Math.max(-1, ...lines.map((line) => line.key)) + 1)];
}

export function changedLine(line: DraftLine, values: Partial<DraftLine>, currency: string): DraftLine {
  const changed = { ...line, ...values };
  if (values.taxAmount !== undefined) return { ...changed, pieceTax: values.pieceTax };
  const { pieceTax, quantity } = changed;
  return pieceTax === undefined ? changed : { ...changed, taxAmount: taxOf(pieceTax, quantity, currency) };
}

function taxOf(pieceTax: number, quantity: string, currency: string): string {
  const tax = pieceTax * Number(quantity);
  return tax > 0 ? amountText(tax, currency) : "";
}

/** Something that the shop has sold, as it was sold last. */
export interface Sold {
  readonly sku: string;
  readonly name: string;
  readonly unitPrice: number;
  readonly pieceTax: number;
  readonly currency: string;
}

/** The items of the orders, the most frequent first. `orders` begins with the newest order, which decides the price. */
export function soldIn(orders: readonly Pick<ItemOf<"listOrders">, "items" | "currency">[]): Sold[] {
  const lines = orders.flatMap(({ items, currency }) => items.map((item) => ({ ...item, currency })));
  return [...Map.groupBy(lines, ({ sku }) => sku).values()]
    .toSorted((a, b) => b.length - a.length)
    .flatMap(([line]) =>
      line === undefined ? [] : [{ ...line, pieceTax: line.taxAmount / Math.max(line.quantity, 1) }],
    );
}

/** Adds one item: to its own line if there is one, else to an empty or a new line. A price in another currency is left out. */
export function withSold(lines: Draft["lines"], sold: Sold, currency: string): Draft["lines"] {
  const { sku, name } = sold;
  const same = lines.find((line) => line.sku === sku);
  const empty = lines.find((line) => line.sku === "" && line.name === "");
  if (same === undefined && empty === undefined) return withSold(withLine(lines), sold, currency);
  const price = sold.currency === currency ? sold : undefined;
  const values =
    same === undefined
      ? { sku, name, unitPrice: price ? exactText(price.unitPrice, currency) : "", pieceTax: price?.pieceTax }
      : { quantity: String((Number(same.quantity) || 0) + 1) };
  return lines.map((line) => (line === (same ?? empty) ? changedLine(line, values, currency) : line));
}

/** A price may have more decimals than the currency. */
function exactText(amount: number, currency: string): string {
  const text = amountText(amount, currency);
  return Number(withPoint(text)) === amount ? text : String(amount).replace(".", decimalSign());
}

interface Choices extends Pick<NewOrder, "customerId" | "channel"> {
  readonly currency: string;
  readonly shipping: AddressTexts;
  readonly billing: AddressTexts;
}

export function bodyOf(draft: Draft, { shipping, billing, ...choices }: Choices): NewOrder {
  const shippingAddress = withTexts(undefined, shipping);
  const billingAddress = withTexts(undefined, billing);
  return {
    ...choices,
    items: draft.lines.map(({ sku, name, quantity, unitPrice, taxAmount }) => ({
      sku: sku.trim(),
      name: name.trim(),
      quantity: Number(quantity),
      unitPrice: Number(withPoint(unitPrice)),
      ...amount("taxAmount", taxAmount),
    })),
    ...amount("shippingTotal", draft.shippingTotal),
    ...amount("taxTotal", draft.taxTotal),
    ...amount("discountTotal", draft.discountTotal),
    ...(shippingAddress && { shippingAddress }),
    ...(billingAddress && { billingAddress }),
  };
}

function emptyLine(key: number): DraftLine {
  return { key, sku: "", name: "", quantity: "1", unitPrice: "", taxAmount: "" };
}

function amount<Name extends string>(name: Name, value: string): { [Field in Name]?: number } {
  return value.trim() === "" ? {} : ({ [name]: Number(withPoint(value)) } as { [Field in Name]: number });
}

/** The fields of the form that change no total. */
export function notesIn(form: FormData): Pick<NewOrder, (typeof TEXTS)[number] | "channel"> {
  const texts = TEXTS.map((name) => [name, String(form.get(name) ?? "").trim()] as const);
  const channel = String(form.get("channel")) as NonNullable<NewOrder["channel"]>;
  return { channel, ...Object.fromEntries(texts.filter(([, value]) => value !== "")) };
}

const TEXTS = ["customerNote", "internalNote", "orderNumber", "externalId"] as const;
