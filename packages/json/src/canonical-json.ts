// Writes JSON text that is the same for equal values. Pure.
import { isRawNumber } from "./exact-json.ts";

/** A part that is still to be written: finished text or a value. */
type Pending = string | { readonly value: unknown };

/**
 * Returns the JSON text of a value without spaces and with sorted names, so that values that differ only in spacing or order have
 * the same text. Numbers keep every digit. Deep nesting cannot overflow the call stack.
 */
export function canonicalJson(value: unknown): string {
  const written: string[] = [];
  const pending: Pending[] = [{ value }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === "string") written.push(next);
    else if (Array.isArray(next.value)) pushList(pending, next.value);
    else if (isObject(next.value)) pushObject(pending, next.value);
    else written.push(JSON.stringify(next.value) ?? "");
  }
  return written.join("");
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !isRawNumber(value);
}

// The stack is last in, first out, so the text to write first is pushed last.

function pushList(pending: Pending[], list: readonly unknown[]): void {
  pending.push("]");
  for (let index = list.length - 1; index >= 0; index -= 1) {
    pending.push({ value: list[index] });
    if (index > 0) pending.push(",");
  }
  pending.push("[");
}

function pushObject(pending: Pending[], object: object): void {
  const members = Object.entries(object).sort(([a], [b]) => (a > b ? -1 : 1));
  pending.push("}");
  members.forEach(([name, value], index) => {
    const isFirst = index === members.length - 1;
    pending.push({ value }, `${isFirst ? "" : ","}${JSON.stringify(name)}:`);
  });
  pending.push("{");
}
