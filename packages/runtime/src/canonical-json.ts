// One text for all JSON that says the same. Pure.
import { isRawNumber } from "./exact-json.ts";

/** What is still to be written: text as it is, or a value. */
type Rest = string | { readonly value: unknown };

/**
 * The JSON text of a value with its names in order: equal for what differs only in how it is spaced or ordered.
 * It keeps a stack of its own, so that no nesting overflows the process's.
 */
export function canonicalJson(value: unknown): string {
  const written: string[] = [];
  const rest: Rest[] = [{ value }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next === "string") written.push(next);
    else if (Array.isArray(next.value)) pushList(rest, next.value);
    else if (isObject(next.value)) pushObject(rest, next.value);
    else written.push(JSON.stringify(next.value) ?? "");
  }
  return written.join("");
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !isRawNumber(value);
}

// What is written first is pushed last.

function pushList(rest: Rest[], list: readonly unknown[]): void {
  rest.push("]");
  for (let index = list.length - 1; index >= 0; index -= 1) {
    rest.push({ value: list[index] });
    if (index > 0) rest.push(",");
  }
  rest.push("[");
}

function pushObject(rest: Rest[], object: object): void {
  const members = Object.entries(object).sort(([a], [b]) => (a > b ? -1 : 1));
  rest.push("}");
  members.forEach(([name, value], index) => {
    const isFirst = index === members.length - 1;
    rest.push({ value }, `${isFirst ? "" : ","}${JSON.stringify(name)}:`);
  });
  rest.push("{");
}
