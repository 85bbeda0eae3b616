import { ReceivedJson } from "@tradepost/json";
import type { z } from "zod";
import { type FieldFault, fieldPath, invalid } from "./api-error.ts";

// A body of 2 MiB can have a hundred thousand faults; a response lists only the first ones.
const FAULTS_MAX = 200;

export type Validate = <T>(schema: z.ZodType<T>, value: unknown, otherFaults?: readonly FieldFault[]) => T;

/**
 * An unknown field is a fault. The error also lists `otherFaults`.
 * @throws 422 `validation_error` with all faults, at most 200 (interface §1).
 */
export const validate: Validate = (schema, value, otherFaults = []) =>
  resultOf(parse(schema, value), value, otherFaults);

/** Parses the body of a POST. Unless the schema accepts it, `null` means a missing field (interface §1) and is removed. */
export const validateNew: Validate = (schema, value, otherFaults = []) => {
  const parsed = parse(schema, value);
  const hasChanged = !parsed.success && removeRefusedNulls(value, parsed.error.issues);
  return resultOf(hasChanged ? parse(schema, value) : parsed, value, otherFaults);
};

// Zod's reported input shows which fields are missing and which are null.
function parse<T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> {
  return schema.safeParse(value, { reportInput: true });
}

function resultOf<T>(parsed: z.ZodSafeParseResult<T>, value: unknown, otherFaults: readonly FieldFault[]): T {
  const unstorable = findUnstorable(value, FAULTS_MAX);
  if (parsed.success && unstorable.length === 0 && otherFaults.length === 0) return parsed.data;
  const faults = parsed.success ? [] : faultsOf(parsed.error.issues);
  throw invalid([...otherFaults.slice(0, FAULTS_MAX), ...faults, ...unstorable].slice(0, FAULTS_MAX));
}

/** Schemas accept null where it is data, as in metadata. An element of a list is not a field and stays. */
function removeRefusedNulls(value: unknown, issues: readonly z.core.$ZodIssue[]): boolean {
  const nulls = issues.filter((issue) => issue.input === null && typeof issue.path.at(-1) === "string");
  for (const { path } of nulls) {
    const parent = path.slice(0, -1).reduce((node, part) => membersOf(node)[part], value);
    delete membersOf(parent)[path.at(-1) ?? ""];
  }
  return nulls.length > 0;
}

function membersOf(node: unknown): Record<PropertyKey, unknown> {
  return (node instanceof ReceivedJson ? node.value : node) as Record<PropertyKey, unknown>;
}

function faultsOf(issues: readonly z.core.$ZodIssue[]): FieldFault[] {
  const shown = issues.slice(0, FAULTS_MAX);
  const mistyped = new Set(
    shown.filter(({ code }) => code === "invalid_type").map(({ path }) => fieldPath(path)),
  );
  return shown.flatMap((issue) => {
    const path = fieldPath(issue.path);
    // If a list is expected, a text of the wrong length gets one fault, not two.
    if (isLengthIssue(issue) && mistyped.has(path)) return [];
    if (issue.code !== "unrecognized_keys") return [{ path, message: plainMessage(issue) }];
    const keys = issue.keys.slice(0, FAULTS_MAX);
    return keys.map((key) => ({ path: fieldPath([...issue.path, key]), message: "unknown field" }));
  });
}

function isLengthIssue(issue: z.core.$ZodIssue): boolean {
  return (
    (issue.code === "too_big" || issue.code === "too_small") &&
    (issue.origin === "string" || issue.origin === "array")
  );
}

function plainMessage(issue: z.core.$ZodIssue): string {
  if ("input" in issue && issue.input === undefined) return "is required";
  if (issue.code === "invalid_type" && issue.message.startsWith("Invalid input: ")) {
    return `must be ${/^[aeiou]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`;
  }
  return issue.message.replace(/^Invalid input: /, "");
}

// Deeper nesting may overflow the stack of code that serializes the value.
const DEPTH_MAX = 64;

/**
 * Finds texts with U+0000 or half of a surrogate pair, and deep nesting. A `ReceivedJson` may contain any text, because
 * Postgres does not read the escapes in a column of type json.
 */
function findUnstorable(value: unknown, faultsMax: number): FieldFault[] {
  const faults: FieldFault[] = [];
  // Converted to text only for faults, because a body may have a million values.
  const path: PropertyKey[] = [];
  const addFault = (message: string) => faults.push({ path: fieldPath(path), message });

  function check(current: unknown, isKept: boolean): void {
    if (current instanceof ReceivedJson) check(current.value, true);
    else if (typeof current === "string") {
      if (!isKept && !isStorable(current)) addFault("contains an invalid character");
    } else if (typeof current === "object" && current !== null) {
      if (path.length === DEPTH_MAX) addFault(`is nested deeper than ${DEPTH_MAX} levels`);
      else checkMembers(current, isKept);
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
