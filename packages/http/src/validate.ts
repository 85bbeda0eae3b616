// Turns what came in into what the handler's types say, or into a 422 that names every field at fault.
import type { z } from "zod";
import { type FieldFault, invalid } from "./api-error.ts";

/**
 * In: a schema (strict objects: an unknown field is a fault), an unknown value, and faults found beside it.
 * Out: the parsed value. Throws 422 `validation_error` with all faults, not the first (contract §1).
 */
export function validate<T>(schema: z.ZodType<T>, value: unknown, beside: readonly FieldFault[] = []): T {
  const unstorable = findUnstorableText(value, "");
  // With the input, what is missing can be told from what is wrong; it is never repeated to anyone.
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success && unstorable.length === 0 && beside.length === 0) return parsed.data;
  const faults = parsed.success ? [] : parsed.error.issues.flatMap(faultsOf);
  throw invalid([...beside, ...faults, ...unstorable].slice(0, FAULTS_MAX));
}

// A body of 2 MiB can hold a hundred thousand faults; nobody reads more than these.
const FAULTS_MAX = 200;

function faultsOf(issue: z.core.$ZodIssue): FieldFault[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: fieldPath([...issue.path, key]), message: "unknown field" }));
  }
  return [{ path: fieldPath(issue.path), message: plainMessage(issue) }];
}

function plainMessage(issue: z.core.$ZodIssue): string {
  const isMissing = "input" in issue && issue.input === undefined;
  return isMissing ? "is required" : issue.message.replace(/^Invalid input: /, "");
}

/** `items[3].quantity`, as callers write it. */
function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((written, part) => {
    if (typeof part === "number") return `${written}[${part}]`;
    return written === "" ? String(part) : `${written}.${String(part)}`;
  }, "");
}

// Deeper nesting than this overflows the stack of whoever writes it out again.
const DEPTH_MAX = 64;

/** Postgres stores neither U+0000 nor half a surrogate pair; said here, or it would be a 500 there. */
function findUnstorableText(value: unknown, path: string, depth = 0): FieldFault[] {
  if (typeof value === "string")
    return isStorable(value) ? [] : [{ path, message: "has a character that is no text" }];
  if (typeof value !== "object" || value === null) return [];
  if (depth === DEPTH_MAX) return [{ path, message: `is nested deeper than ${DEPTH_MAX} levels` }];
  if (Array.isArray(value)) {
    return value.flatMap((element, index) => findUnstorableText(element, `${path}[${index}]`, depth + 1));
  }
  return Object.entries(value).flatMap(([key, element]) => {
    const at = path === "" ? key : `${path}.${key}`;
    return isStorable(key)
      ? findUnstorableText(element, at, depth + 1)
      : [{ path: at, message: "is no usable name" }];
  });
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\u0000");
}
