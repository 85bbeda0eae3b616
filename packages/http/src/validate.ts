// Validates input against a schema.
import type { z } from "zod";
import { type FieldFault, invalid } from "./api-error.ts";
import { fieldPath } from "./field-path.ts";
import { findUnstorable } from "./find-unstorable.ts";

// A body of 2 MiB can have a hundred thousand faults; a response lists only the first ones.
const FAULTS_MAX = 200;

/**
 * Parses a value. The schema's objects are strict: an unknown field is a fault. `otherFaults` are reported together with the
 * faults of the value.
 *
 * @throws 422 `validation_error` with all faults, at most 200 (interface §1).
 */
export function validate<T>(
  schema: z.ZodType<T>,
  value: unknown,
  otherFaults: readonly FieldFault[] = [],
): T {
  const unstorable = findUnstorable(value, FAULTS_MAX);
  // The reported input distinguishes missing fields from wrong ones. It does not get into the response.
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success && unstorable.length === 0 && otherFaults.length === 0) return parsed.data;
  const faults = parsed.success ? [] : faultsOf(parsed.error.issues);
  throw invalid([...otherFaults.slice(0, FAULTS_MAX), ...faults, ...unstorable].slice(0, FAULTS_MAX));
}

function faultsOf(issues: readonly z.core.$ZodIssue[]): FieldFault[] {
  const shown = issues.slice(0, FAULTS_MAX);
  const mistyped = new Set(
    shown.filter(({ code }) => code === "invalid_type").map(({ path }) => fieldPath(path)),
  );
  return shown.flatMap((issue) => {
    const path = fieldPath(issue.path);
    // If a list is expected, a fault in the length of a text is not reported in addition.
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
  const isMissing = "input" in issue && issue.input === undefined;
  return isMissing ? "is required" : issue.message.replace(/^Invalid input: /, "");
}
