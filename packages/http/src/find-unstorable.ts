// Finds in a request what no database takes: text with U+0000 or half a surrogate pair, and deep nesting. Found here it
// is a 422 with the field's name; there it would be a 500. Pure.
import type { FieldFault } from "./api-error.ts";
import { fieldPath } from "./field-path.ts";

// Deeper nesting than this overflows the stack of whoever writes it out again.
const DEPTH_MAX = 64;

/** In: a parsed body or query, and how many faults are enough. Out: the faults, at most as many. */
export function findUnstorable(value: unknown, faultsMax: number): FieldFault[] {
  const faults: FieldFault[] = [];
  // The way to the value at hand. Paths are written for faults only: a body has a million values, and most have none.
  const way: PropertyKey[] = [];
  const note = (message: string) => faults.push({ path: fieldPath(way), message });

  function look(at: unknown): void {
    if (typeof at === "string") {
      if (!isStorable(at)) note("has a character that is no text");
    } else if (typeof at === "object" && at !== null) {
      if (way.length === DEPTH_MAX) note(`is nested deeper than ${DEPTH_MAX} levels`);
      else lookInto(at);
    }
  }

  function lookInto(container: object): void {
    const isList = Array.isArray(container);
    const keys = isList ? container.keys() : Object.keys(container);
    for (const key of keys) {
      if (faults.length >= faultsMax) return;
      way.push(key);
      if (typeof key === "string" && !isStorable(key)) note("is no usable name");
      else look((container as Record<PropertyKey, unknown>)[key]);
      way.pop();
    }
  }

  look(value);
  return faults;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000");
}
