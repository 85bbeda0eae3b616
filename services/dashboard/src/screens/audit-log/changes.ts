// The changes of an entry, one line for each field. Pure.
import { wordsOf } from "../../format/words.ts";

export interface Change {
  readonly field: string;
  /** Undefined if the entry has no earlier value: the resource is new, or only the new value is recorded. */
  readonly before: string | undefined;
  readonly after: string;
}

/** Shows every value as text, so that markup that somebody typed has no effect. */
export function changesOf(changes: Readonly<Record<string, unknown>>): Change[] {
  return Object.entries(changes).map(([name, value]) => {
    const pair = pairOf(value);
    return {
      field: wordsOf(name),
      before: pair && textOf(pair.from),
      after: textOf(pair === undefined ? value : pair.to),
    };
  });
}

function pairOf(value: unknown): { readonly from: unknown; readonly to: unknown } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const isPair = Object.keys(value).length === 2 && "from" in value && "to" in value;
  return isPair ? (value as { from: unknown; to: unknown }) : undefined;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(textOf).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
