// Finds values that Postgres cannot store: texts with U+0000 or half of a surrogate pair, and deeply nested values. A fault found
// here is a 422 that names the field; an error of Postgres would be a 500. An object that is stored verbatim may contain any
// text, because Postgres does not read the escapes in a column of type json.
import { keptTextOf } from "@tradepost/json";
import type { FieldFault } from "./api-error.ts";
import { fieldPath } from "./field-path.ts";

// Deeper nesting may overflow the stack of code that serializes the value.
const DEPTH_MAX = 64;

/** Returns at most `faultsMax` faults of a parsed body or query. */
export function findUnstorable(value: unknown, faultsMax: number): FieldFault[] {
  const faults: FieldFault[] = [];
  // The path to the current value. It is converted to text only for faults, because a body may have a million values.
  const path: PropertyKey[] = [];
  const addFault = (message: string) => faults.push({ path: fieldPath(path), message });

  function check(current: unknown, isKept: boolean): void {
    if (typeof current === "string") {
      if (!isKept && !isStorable(current)) addFault("contains an invalid character");
    } else if (typeof current === "object" && current !== null) {
      if (path.length === DEPTH_MAX) addFault(`is nested deeper than ${DEPTH_MAX} levels`);
      else checkMembers(current, isKept || keptTextOf(current) !== undefined);
    }
  }

  function checkMembers(container: object, isKept: boolean): void {
    const keys = Array.isArray(container) ? container.keys() : Object.keys(container);
    for (const key of keys) {
      if (faults.length >= faultsMax) return;
      path.push(key);
      if (typeof key === "string" && !isKept && !isStorable(key)) addFault("is not a valid name");
      else check((container as Record<PropertyKey, unknown>)[key], isKept);
      path.pop();
    }
  }

  check(value, false);
  return faults;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000");
}
