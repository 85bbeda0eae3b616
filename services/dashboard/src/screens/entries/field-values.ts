// Converts the fields of an entry to the texts of a form and back. Only changed values are sent, so that a value that a form cannot
// show exactly, such as a number of 30 digits, stays as it is. Pure.
import type { DataOf, ErrorDetail } from "@tradepost/client/operations";
import { absoluteTime, fieldOf, instantOf } from "../../format/time.ts";

export type TypeField = DataOf<"getContentType">["fields"][number];
export type Data = Readonly<Record<string, unknown>>;
export type Texts = Readonly<Record<string, string>>;

const INDENT = 2;

export function textsOf(fields: readonly TypeField[], data: Data): Texts {
  return Object.fromEntries(fields.map((field) => [field.key, textOf(field, valueIn(data, field.key))]));
}

/** The key may be a property that all objects have, such as `constructor`. */
export function valueIn(data: Data, key: string): unknown {
  return Object.hasOwn(data, key) ? data[key] : undefined;
}

function textOf({ type }: TypeField, value: unknown): string {
  if (value === undefined) return "";
  if (type === "datetime" && typeof value === "string") return fieldOf(value);
  if (type === "json" || typeof value === "object") return JSON.stringify(value, null, INDENT);
  return String(value);
}

export function isJson({ type }: TypeField, value: unknown): boolean {
  return type === "json" || (type === "richtext" && typeof value === "object");
}

/** Returns the changed values, with `null` for a field that was emptied, and the faults of values that cannot be sent. */
export function changesOf(fields: readonly TypeField[], data: Data, texts: Texts) {
  const changes: Record<string, unknown> = {};
  const faults: ErrorDetail[] = [];
  for (const field of fields) {
    const { key } = field;
    const text = texts[key] ?? "";
    const before = valueIn(data, key);
    if (text === textOf(field, before)) continue;
    try {
      changes[key] = text.trim() === "" ? null : sentValueOf(field, text, before);
    } catch (error) {
      faults.push({ path: `data.${key}`, message: error instanceof Error ? error.message : String(error) });
    }
  }
  return { changes, faults };
}

function sentValueOf(field: TypeField, text: string, before: unknown): unknown {
  if (isJson(field, before)) return jsonOf(text);
  if (field.type === "number") return numberOf(text);
  if (field.type === "boolean") return text === "true";
  if (field.type === "datetime") return instantOf(text) ?? fail("must be a date with a time");
  return text;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail(`is not JSON: ${error instanceof Error ? error.message : "it cannot be read"}`);
  }
}

function numberOf(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value)) return fail("must be a number");
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return fail("is too large to be kept exactly by a browser");
  return value;
}

function fail(message: string): never {
  throw new Error(message);
}

export function shown({ type }: Pick<TypeField, "type">, value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (type === "datetime" && typeof value === "string") return absoluteTime(value);
  return typeof value === "object" ? JSON.stringify(value, null, INDENT) : String(value);
}

export function isSameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const pairs = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return pairs.map(([key, part]) => [key, sorted(part)]);
}
