// Writes JSON text that is the same for equal values. Pure.
import { isRawNumber } from "./exact-json.ts";
import { ReceivedJson } from "./verbatim-json.ts";

/** A part that is still to be written: finished text or a value. */
type Pending = string | { readonly value: unknown };

/**
 * Writes JSON without spaces and with sorted names, so that values that differ only in spacing or order have the same text.
 * Numbers keep every digit. Deep nesting cannot overflow the call stack.
 */
export function canonicalJson(value: unknown): string {
  return Array.from(canonicalParts(value)).join("");
}

/** Yields the same text in parts, so that its caller can let other work run in between. */
export function* canonicalParts(value: unknown): Generator<string> {
  const pending: Pending[] = [{ value }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === "string") yield next;
    else if (Array.isArray(next.value)) pushList(pending, next.value);
    else if (next.value instanceof ReceivedJson) pending.push({ value: next.value.value });
    else if (isContainer(next.value)) pushObject(pending, next.value);
    else yield JSON.stringify(next.value) ?? "";
  }
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
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

function pushObject(pending: Pending[], object: Readonly<Record<string, unknown>>): void {
  // Without a compare function, names are sorted by UTF-16 units too, and four times as fast.
  const names = Object.keys(object).sort();
  const isFlat = !names.some((name) => isContainer(object[name]));
  if (isFlat) {
    // One text is written twice as fast as its parts. The elements of long lists are often such objects.
    pending.push(`{${names.map((name) => nameText(name) + JSON.stringify(object[name])).join(",")}}`);
    return;
  }
  pending.push("}");
  for (let index = names.length - 1; index >= 0; index -= 1) {
    const name = names[index] as string;
    pending.push({ value: object[name] }, `${index > 0 ? "," : ""}${nameText(name)}`);
  }
  pending.push("{");
}

function nameText(name: string): string {
  return `${JSON.stringify(name)}:`;
}
