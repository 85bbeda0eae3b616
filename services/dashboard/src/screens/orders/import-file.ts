// Reads the orders of a file: a JSON array, `{"orders": [...]}`, or one order in each line. Pure.
import type { ErrorDetail } from "@tradepost/client/operations";
import { isShortened } from "./import-values.ts";

export type ReadFile = { readonly orders: readonly unknown[] } | { readonly fault: string };

export interface ImportItem {
  /** The id that the order has in the file, or its place. */
  readonly name: string;
  readonly order: unknown;
  /** The rows of a CSV file that it is made of. */
  readonly rows?: readonly (readonly string[])[];
  /** What is done with the order once it is placed. */
  readonly steps?: readonly ImportStep[];
  readonly refusal?: { readonly message: string; readonly details: ErrorDetail[] };
}

export type ImportStep = "recordPayment" | "fulfillOrder" | "deliverOrder" | "refundOrder" | "cancelOrder";

export interface Part {
  readonly items: readonly ImportItem[];
}

// A request may have 100 orders and 2 MiB.
const ORDERS_MAX = 100;
const CHARACTERS_MAX = 500_000;

export function readOrders(text: string): ReadFile {
  const whole = parsed(text);
  if (whole !== undefined && !isSingleOrder(whole)) {
    const orders = Array.isArray(whole) ? whole : (whole as { orders?: unknown } | null)?.orders;
    if (!Array.isArray(orders)) return { fault: "The file has no list of orders." };
    return orders.length === 0 ? { fault: "The file has no orders." } : { orders };
  }
  const lines = text.split(/\r\n?|\n/).map((line, index) => ({ text: line.trim(), number: index + 1 }));
  const filled = lines.filter((line) => line.text !== "");
  if (filled.length === 0) return { fault: "The file is empty." };
  const wrong = filled.find((line) => parsed(line.text) === undefined);
  if (wrong !== undefined)
    return {
      fault: `The file is neither CSV nor JSON, nor has it one order in each line: line ${wrong.number} is not JSON.`,
    };
  return { orders: filled.map((line) => parsed(line.text)) };
}

/** Names the orders by their own ids. Orders that share an id have a refusal: nobody can say which of them is right. */
export function itemsOf(orders: readonly unknown[]): ImportItem[] {
  const seen = new Map<string, number>();
  for (const order of orders) for (const { key } of idsOf(order)) seen.set(key, (seen.get(key) ?? 0) + 1);
  return orders.map((order, index) => {
    const ids = idsOf(order);
    const details = ids.flatMap(({ key, path, id }) => {
      if (isShortened(id)) return [{ path, message: `“${id}” is a number that a spreadsheet has shortened` }];
      return (seen.get(key) ?? 0) > 1 ? [{ path, message: `another order of the file has “${id}”` }] : [];
    });
    return {
      name: ids[0]?.id ?? `No. ${index + 1}`,
      order,
      ...(details.length > 0 && { refusal: { message: "the order’s ids are not its own", details } }),
    };
  });
}

function idsOf(order: unknown) {
  const values = (order ?? {}) as Readonly<Record<string, unknown>>;
  return ["externalId", "orderNumber"].flatMap((path) => {
    const id = values[path];
    // An external id is unique in its channel only.
    const key = JSON.stringify([path, id, path === "externalId" && values.channel]);
    return typeof id === "string" && id !== "" ? [{ key, path, id }] : [];
  });
}

/** Splits the orders into parts as large as a request may be. */
export function partsOf(items: readonly ImportItem[]): Part[] {
  const parts: { items: ImportItem[] }[] = [];
  let characters = 0;
  for (const item of items) {
    const { length } = JSON.stringify(item.order) ?? "";
    const last = parts.at(-1);
    if (last === undefined || last.items.length === ORDERS_MAX || characters + length > CHARACTERS_MAX) {
      parts.push({ items: [item] });
      characters = length;
    } else {
      last.items.push(item);
      characters += length;
    }
  }
  return parts;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Recognises a file that has one order in one line. */
function isSingleOrder(value: unknown): boolean {
  return typeof value === "object" && value !== null && "items" in value;
}
