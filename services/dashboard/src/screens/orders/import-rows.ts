// The orders of a CSV file, and their customers. Rows with the same external id or order number are lines of one order. Pure.
import type { BodyOf, ErrorDetail } from "@tradepost/client/operations";
import { countryCode } from "../../format/codes.ts";
import type { Csv, CsvRow } from "../../format/csv.ts";
import { fractionDigits } from "../../format/money.ts";
import type { Mapping, TargetName } from "./import-columns.ts";
import {
  type Cell,
  choiceOf,
  contradiction,
  dateOf,
  faultsOf,
  isDayFirst,
  numberOf,
  plainOf,
  type Said,
} from "./import-values.ts";

/** How the file names a customer, other than by the id. */
export interface CustomerKey {
  readonly by: "email" | "externalId";
  readonly value: string;
}

export interface ImportItem {
  /** The id that the order has in the file, or its line. */
  readonly name: string;
  readonly order: object;
  readonly rows: readonly (readonly string[])[];
  /** Carried out once the order is placed. */
  readonly steps: readonly ImportStep[];
  readonly refusal?: { readonly message: string; readonly details: ErrorDetail[] };
  /** Undefined if the order has the customer's id. */
  readonly customer: CustomerKey | undefined;
  readonly said: Said;
}

export type ImportStep = "recordPayment" | "fulfillOrder" | "deliverOrder" | "refundOrder" | "cancelOrder";

interface Given {
  /** For orders whose rows name no currency. */
  readonly currency: string;
  readonly isDayFirst: boolean;
}

/** The orders of the file, in the order of their first rows. An order whose rows contradict each other has a refusal. */
export function ordersOf(csv: Csv, mapping: Mapping, currency: string): ImportItem[] {
  const dates = csv.rows.map(({ cells }) => cells[mapping.indexOf("placedAt")] ?? "");
  const given = { currency, isDayFirst: isDayFirst(dates) };
  return groupsOf(csv, mapping).map((rows) => orderOf(rows, csv, mapping, given));
}

/** Rows with two external ids and one order number are together, so that they are refused. */
function groupsOf({ rows }: Csv, mapping: Mapping): CsvRow[][] {
  const groups = new Set<CsvRow[]>();
  const byId = new Map<string, CsvRow[]>();
  for (const row of rows) {
    const known = idsOf(row, mapping).map((id) => byId.get(id));
    const [group = [], other = []] = new Set(known.filter((one) => one !== undefined));
    groups.add(group).delete(other);
    for (const one of [...other, row]) {
      group.push(one);
      for (const id of idsOf(one, mapping)) byId.set(id, group);
    }
  }
  return [...groups].map((group) => group.toSorted((a, b) => a.line - b.line));
}

function idsOf({ cells }: CsvRow, mapping: Mapping): string[] {
  return (["externalId", "orderNumber"] as const).flatMap((target) => {
    const id = cells[mapping.indexOf(target)] ?? "";
    return id === "" ? [] : [`${target} ${id}`];
  });
}

type Value = (target: TargetName) => string | undefined;

function orderOf(
  rows: readonly CsvRow[],
  csv: Csv,
  mapping: Mapping,
  { currency: shopCurrency, isDayFirst }: Given,
): ImportItem {
  const said = saidBy(rows, csv, mapping);
  // Some systems write values of the whole order into its first row only.
  const first: Value = (target) => said.get(target)?.[0]?.text;
  const currency = (first("currency") ?? shopCurrency).toUpperCase();
  // The platform refuses a code of any other form.
  const decimalsMax = /^[A-Z]{3}$/.test(currency) ? fractionDigits(currency) : 2;
  const amountOf = (text: string | undefined) =>
    text === undefined ? undefined : numberOf(text, { decimalsMax });
  const details = faultsOf(said, { decimalsMax, isDayFirst });
  const texts = (names: readonly TargetName[]) => given(names.map((name) => [name, first(name)]));
  const country = first("shippingAddress.country");
  const placedAt = first("placedAt");
  const shippingAddress = given(
    mapping.flatMap((name) =>
      name?.startsWith("shippingAddress.") ? [[name.slice("shippingAddress.".length), first(name)]] : [],
    ),
  );
  return {
    name: first("externalId") ?? first("orderNumber") ?? `Line ${rows[0]?.line}`,
    rows: rows.map(({ cells }) => cells),
    said,
    steps: stepsOf(first("payment"), first("status")),
    customer: first("customerId") === undefined ? customerOf(first) : undefined,
    ...(details.length > 0 && { refusal: { message: "the rows of the order have faults", details } }),
    order: {
      ...texts(["customerId", "externalId", "orderNumber", "customerNote", "internalNote"]),
      channel: "import",
      currency,
      ...given(
        (["shippingTotal", "discountTotal", "taxTotal"] as const).map((name) => [
          name,
          amountOf(first(name)),
        ]),
      ),
      ...(placedAt !== undefined && { placedAt: dateOf(placedAt, isDayFirst) }),
      ...(Object.keys(shippingAddress).length > 0 && {
        shippingAddress: { ...shippingAddress, ...(country && { country: countryCode(country) ?? country }) },
      }),
      items: rows.map(({ cells }) => {
        const value: Value = (target) => cells[mapping.indexOf(target)] || undefined;
        return given([
          ["sku", value("sku")],
          ["name", value("name")],
          ["quantity", amountOf(value("quantity"))],
          ["unitPrice", amountOf(value("unitPrice"))],
          ["taxAmount", amountOf(value("taxAmount"))],
        ]);
      }),
    },
  };
}

/** The steps once the order is placed. A cancelled order is refunded first. */
function stepsOf(payment = "", status = ""): ImportStep[] {
  const [paid, reached] = [choiceOf("payment", payment), choiceOf("status", status)];
  const hasMoney = paid === "paid" || paid === "refunded";
  const isCancelled = reached === "cancelled";
  return [
    ...(hasMoney ? (["recordPayment"] as const) : []),
    ...(reached === "fulfilled" || reached === "delivered" ? (["fulfillOrder"] as const) : []),
    ...(reached === "delivered" ? (["deliverOrder"] as const) : []),
    ...(paid === "refunded" || (hasMoney && isCancelled) ? (["refundOrder"] as const) : []),
    ...(isCancelled ? (["cancelOrder"] as const) : []),
  ];
}

function saidBy(rows: readonly CsvRow[], { columns }: Csv, mapping: Mapping): Said {
  const said = new Map<TargetName, Cell[]>();
  for (const [index, target] of mapping.entries()) {
    const column = columns[index] || String(index + 1);
    const cells = rows.flatMap((row) => {
      const text = row.cells[index] ?? "";
      return text === "" ? [] : [{ text, line: row.line, column }];
    });
    if (target !== null && cells.length > 0) said.set(target, cells);
  }
  return said;
}

function customerOf(first: Value): CustomerKey | undefined {
  const externalId = first("customerExternalId");
  if (externalId !== undefined) return { by: "externalId", value: externalId };
  const email = first("customerEmail");
  return email === undefined ? undefined : { by: "email", value: plainOf("customerEmail", email) };
}

function given(entries: readonly (readonly unknown[])[]): Record<string, unknown> {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

export interface NamedCustomer extends CustomerKey {
  readonly known: BodyOf<"createCustomer">;
  /** Why the customer cannot be created: the orders describe different people. */
  readonly contradiction: string | undefined;
}

/** The customers of the orders without a refusal. */
export function customersOf(items: readonly ImportItem[]): NamedCustomer[] {
  const ready = items.filter(({ refusal }) => refusal === undefined);
  const orders = Map.groupBy(ready, ({ customer }) => customer && nameOf(customer));
  return [...orders.values()].flatMap((ofCustomer) => {
    const customer = ofCustomer[0]?.customer;
    return customer === undefined ? [] : [namedCustomer(customer, ofCustomer)];
  });
}

function namedCustomer({ by, value }: CustomerKey, orders: readonly ImportItem[]): NamedCustomer {
  const cellsOf = (target: TargetName) => orders.flatMap(({ said }) => said.get(target) ?? []);
  const first: Value = (target) => cellsOf(target)[0]?.text;
  const email = first("customerEmail");
  const phone = first("customerPhone");
  const described =
    by === "email"
      ? (["customerName", "customerPhone"] as const)
      : (["customerName", "customerEmail", "customerPhone"] as const);
  const faults = described.flatMap((target) => contradiction(target, cellsOf(target)) ?? []);
  return {
    by,
    value,
    known: {
      name: first("customerName") ?? first("shippingAddress.name") ?? value,
      ...(email !== undefined && { email: plainOf("customerEmail", email) }),
      ...(phone !== undefined && { phone }),
      ...(by === "externalId" && { externalId: value }),
    },
    contradiction: faults.length > 0 ? faults.join("; ") : undefined,
  };
}

/** `e-mail address ada@shop.example`. */
export function nameOf({ by, value }: CustomerKey): string {
  return by === "email" ? `e-mail address ${value}` : `external id ${value}`;
}
