// Turns what came in into what the handler's types say, or into a 422 that names every field at fault.
import type { z } from "zod";
import { type FieldFault, invalid } from "./api-error.ts";
import { fieldPath } from "./field-path.ts";
import { findUnstorable } from "./find-unstorable.ts";

// A body of 2 MiB can hold a hundred thousand faults; nobody reads more than these.
const FAULTS_MAX = 200;

/**
 * In: a schema (strict objects: an unknown field is a fault), an unknown value, and faults found beside it.
 * Out: the parsed value. Throws 422 `validation_error` with all faults, not the first (contract §1); with the first 200
 * where there are more.
 */
export function validate<T>(schema: z.ZodType<T>, value: unknown, beside: readonly FieldFault[] = []): T {
  const unstorable = findUnstorable(value, FAULTS_MAX);
  // With the input, what is missing can be told from what is wrong; it is never repeated to anyone.
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success && unstorable.length === 0 && beside.length === 0) return parsed.data;
  const faults = parsed.success ? [] : faultsOf(parsed.error.issues);
  throw invalid([...beside.slice(0, FAULTS_MAX), ...faults, ...unstorable].slice(0, FAULTS_MAX));
}

function faultsOf(issues: readonly z.core.$ZodIssue[]): FieldFault[] {
  const shown = issues.slice(0, FAULTS_MAX);
  const mistyped = new Set(
    shown.filter(({ code }) => code === "invalid_type").map(({ path }) => fieldPath(path)),
  );
  return shown.flatMap((issue) => {
    const path = fieldPath(issue.path);
    // The length of a text says nothing where a list is expected.
    if (isOfLength(issue) && mistyped.has(path)) return [];
    if (issue.code !== "unrecognized_keys") return [{ path, message: plainMessage(issue) }];
    const keys = issue.keys.slice(0, FAULTS_MAX);
    return keys.map((key) => ({ path: fieldPath([...issue.path, key]), message: "unknown field" }));
  });
}

function isOfLength(issue: z.core.$ZodIssue): boolean {
  return (
    (issue.code === "too_big" || issue.code === "too_small") &&
    (issue.origin === "string" || issue.origin === "array")
  );
}

function plainMessage(issue: z.core.$ZodIssue): string {
  const isMissing = "input" in issue && issue.input === undefined;
  return isMissing ? "is required" : issue.message.replace(/^Invalid input: /, "");
}
