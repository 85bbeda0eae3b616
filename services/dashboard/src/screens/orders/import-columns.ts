// The columns of a CSV file, and the parts of an order that they contain. Rows with the same external id or order number are
// lines of one order. Pure.
import { fractionDigits } from "../../format/money.ts";
import type { Csv, CsvRow } from "./csv.ts";
import type { ImportItem } from "./import-file.ts";

interface Target {
  readonly text: string;
  /** The names under which other systems know it, in small letters and digits only. */
  readonly names: readonly string[];
}

/** The possible targets of a column. */
export const TARGETS = {
  externalId: { text: "External id of the order", names: ["externalid", "orderid", "ordernr"] },
  orderNumber: { text: "Order number", names: ["ordernumber", "number"] },
  customerId: { text: "Customer id", names: ["customerid"] },
  customerExternalId: {
    text: "External id of the customer",
    names: ["customerexternalid", "customernumber", "customernr"],
  },
  customerEmail: { text: "E-mail of the customer", names: ["customeremail", "email"] },
  customerName: { text: "Name of the customer", names: ["customername", "customer", "billingname"] },
  currency: { text: "Currency", names: ["currency", "currencycode"] },
  sku: { text: "SKU", names: ["sku", "lineitemsku", "articlenumber", "itemsku"] },
  name: { text: "Item", names: ["itemname", "lineitemname", "product", "productname", "item", "title"] },
  quantity: { text: "Quantity", names: ["quantity", "qty", "lineitemquantity", "amount", "count"] },
  unitPrice: { text: "Unit price", names: ["unitprice", "price", "lineitemprice", "itemprice"] },
  taxAmount: { text: "Tax of the line", names: ["linetax", "taxamount"] },
  shippingTotal: { text: "Shipping", names: ["shippingtotal", "shipping", "shippingcost"] },
  discountTotal: { text: "Discount", names: ["discounttotal", "discountamount", "discount"] },
  taxTotal: { text: "Tax of the order", names: ["taxtotal", "taxes", "tax"] },
  customerNote: { text: "Customer’s note", names: ["customernote", "notes", "note"] },
  internalNote: { text: "Internal note", names: ["internalnote"] },
  "shippingAddress.name": { text: "Ship to: name", names: ["shippingname"] },
  "shippingAddress.line1": {
    text: "Ship to: street",
    names: ["shippingaddress1", "shippingstreet", "shippingline1"],
  },
  "shippingAddress.line2": { text: "Ship to: second line", names: ["shippingaddress2", "shippingline2"] },
  "shippingAddress.postalCode": {
    text: "Ship to: postal code",
    names: ["shippingzip", "shippingpostalcode"],
  },
  "shippingAddress.city": { text: "Ship to: city", names: ["shippingcity"] },
  "shippingAddress.region": { text: "Ship to: region", names: ["shippingprovince", "shippingregion"] },
  "shippingAddress.country": { text: "Ship to: country", names: ["shippingcountry"] },
} as const satisfies Record<string, Target>;

export type TargetName = keyof typeof TARGETS;

/** The target of each column; null for a column that is not imported. */
export type Mapping = readonly (TargetName | null)[];

const NAMES = Object.keys(TARGETS) as TargetName[];

/** A file that has what an order needs, with names that are understood. */
export const EXAMPLE_CSV = [
  "externalId,customerEmail,customerName,currency,sku,itemName,quantity,unitPrice",
  'old-17,ada@example.com,Ada Holm,EUR,MUG-BLUE,"Mug, blue",3,19.99',
  "old-17,ada@example.com,Ada Holm,EUR,PLATE-1,Plate,1,7.50",
].join("\r\n");

/**
 * Says where in the file a fault is: for `items[1].quantity`, `Quantity, item 2` if the order has several rows. Returns the path
 * itself if no column contains it.
 */
export function placeOf(path: string, rowCount: number): string {
  const [, index, name = path] = /^(?:items\[(\d+)\]\.)?(.+)$/.exec(path) ?? [];
  if (!Object.hasOwn(TARGETS, name)) return path;
  const { text } = TARGETS[name as TargetName];
  return index !== undefined && rowCount > 1 ? `${text}, item ${Number(index) + 1}` : text;
}

/** Guesses the targets by the names of the columns. No two columns get the same one. */
export function guessMapping(columns: readonly string[]): Mapping {
  const plain = columns.map((name) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
  // Some shops export the order's own id in a column `name`, and the names of lines in another column.
  const ofName = plain.some((name) => has("name", name)) ? "externalId" : "name";
  const taken = new Set<TargetName>();
  return plain.map((name) => {
    const found = name === "name" ? ofName : NAMES.find((one) => has(one, name));
    if (found === undefined || taken.has(found)) return null;
    taken.add(found);
    return found;
  });
}

function has(target: TargetName, name: string): boolean {
  return (TARGETS[target].names as readonly string[]).includes(name);
}

/** Sentences that say what is missing; empty if the file can be imported. */
export function faultsOf(mapping: Mapping): string[] {
  const missing = (["sku", "name", "quantity", "unitPrice"] as const).filter((one) => !mapping.includes(one));
  const customers = ["customerId", "customerExternalId", "customerEmail"] as const;
  return [
    ...(customers.some((one) => mapping.includes(one)) ? [] : ["No column says who the customer is."]),
    ...missing.map((one) => `No column is “${TARGETS[one].text}”.`),
  ];
}

/** How the file names a customer, other than by the id. */
export interface CustomerKey {
  readonly by: "email" | "externalId";
  readonly value: string;
  /** What is known of the customer, to create one. */
  readonly known: { readonly name: string; readonly email?: string; readonly externalId?: string };
}

export type CsvItem = ImportItem & {
  /** Undefined if the order has the customer's id. */
  readonly customer: CustomerKey | undefined;
};

interface Given {
  /** For orders whose rows name no currency. */
  readonly currency: string;
}

/** The orders of the file, in the order of their first rows. */
export function ordersOf({ rows }: Csv, mapping: Mapping, { currency }: Given): CsvItem[] {
  const groups = new Map<string, CsvRow[]>();
  for (const row of rows) {
    const value = valuesOf(row, mapping);
    const key = value("externalId") ?? value("orderNumber");
    const group = key === undefined ? `line ${row.line}` : `key ${key}`;
    groups.set(group, [...(groups.get(group) ?? []), row]);
  }
  return [...groups.values()].map((group) => orderOf(group, mapping, currency));
}

type Value = (target: TargetName) => string | undefined;

function orderOf(rows: readonly CsvRow[], mapping: Mapping, currency: string): CsvItem {
  const lines = rows.map((row) => valuesOf(row, mapping));
  // Some systems write what belongs to the order into its first row only.
  const first: Value = (target) => lines.map((value) => value(target)).find((text) => text !== undefined);
  const orderCurrency = (first("currency") ?? currency).toUpperCase();
  const amountOf = (text: string | undefined) =>
    numberOf(text, { decimalsMax: isCode(orderCurrency) ? fractionDigits(orderCurrency) : 2 });
  const texts = (names: readonly TargetName[]) => given(names.map((name) => [name, first(name)]));
  const shippingAddress = given(
    NAMES.filter((name) => name.startsWith("shippingAddress.")).map((name) => [
      name.slice("shippingAddress.".length),
      first(name),
    ]),
  );
  return {
    name: first("externalId") ?? first("orderNumber") ?? `Line ${rows[0]?.line}`,
    rows: rows.map(({ cells }) => cells),
    customer: first("customerId") === undefined ? customerOf(first) : undefined,
    order: {
      ...texts(["customerId", "externalId", "orderNumber", "customerNote", "internalNote"]),
      channel: "import",
      currency: orderCurrency,
      ...given(
        (["shippingTotal", "discountTotal", "taxTotal"] as const).map((name) => [
          name,
          amountOf(first(name)),
        ]),
      ),
      ...(Object.keys(shippingAddress).length > 0 && { shippingAddress }),
      items: lines.map((value) =>
        given([
          ["sku", value("sku")],
          ["name", value("name")],
          ["quantity", numberOf(value("quantity"))],
          ["unitPrice", amountOf(value("unitPrice"))],
          ["taxAmount", amountOf(value("taxAmount"))],
        ]),
      ),
    },
  };
}

/** The platform refuses a code of any other form. */
function isCode(currency: string): boolean {
  return /^[A-Z]{3}$/.test(currency);
}

function customerOf(first: Value): CustomerKey | undefined {
  // Upper and lower case name the same customer.
  const email = first("customerEmail")?.toLowerCase();
  const externalId = first("customerExternalId");
  const value = externalId ?? email;
  if (value === undefined) return undefined;
  return {
    by: externalId === undefined ? "email" : "externalId",
    value,
    known: {
      name: first("customerName") ?? first("shippingAddress.name") ?? value,
      ...(email !== undefined && { email }),
      ...(externalId !== undefined && { externalId }),
    },
  };
}

function valuesOf({ cells }: CsvRow, mapping: Mapping): Value {
  return (target) => {
    const index = mapping.indexOf(target);
    return index === -1 ? undefined : cells[index] || undefined;
  };
}

function given(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/**
 * `1.234,50` and `1,234.50` are 1234.5. A text that is not a number stays as it is, and the platform refuses it with a reason. So
 * does `1,234`, unless the value may have three decimals: it may mean a thousand or a little more than one.
 */
export function numberOf(
  text: string | undefined,
  { decimalsMax = 2 }: { readonly decimalsMax?: number } = {},
): number | string | undefined {
  if (text === undefined) return undefined;
  if (decimalsMax !== 3 && /^-?[1-9]\d{0,2}([.,]\d{3})+$/.test(text)) return text;
  const decimal = Math.max(text.lastIndexOf("."), text.lastIndexOf(","));
  const hasBoth = text.includes(".") && text.includes(",");
  const plain = hasBoth
    ? `${text.slice(0, decimal).replaceAll(/[.,]/g, "")}.${text.slice(decimal + 1)}`
    : text.replace(",", ".");
  const compact = plain.replaceAll(/\s/g, "");
  return /^-?\d+(\.\d+)?$/.test(compact) ? Number(compact) : text;
}
