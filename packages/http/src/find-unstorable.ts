// Finds values that Postgres cannot store: text with U+0000 or half of a surrogate pair, and deep nesting. Found here, they
// are a 422 with the field's name; Postgres would make them a 500. An object that is stored as the text it came as may
// contain any text: Postgres does not read the escapes in a column of type json.
import { keptTextOf } from "@tradepost/json";
import type { FieldFault } from "./api-error.ts";
import { fieldPath } from "./field-path.ts";

// Deeper nesting may overflow the stack of code that writes the value again.
const DEPTH_MAX = 64;

/** Returns the faults of a parsed body or query, at most `faultsMax`. */
export function findUnstorable(value: unknown, faultsMax: number): FieldFault[] {
  const faults: FieldFault[] = [];
  // The path to the current value. It becomes text for faults only: a body may have a million values.
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
