// Unknown and repeated parameters are 422: a misspelt filter must not silently return everything.
import { z } from "zod";
import { ApiError, type FieldFault, fieldPath, invalid } from "./api-error.ts";
import { validate } from "./validate.ts";

/**
 * Parses the query with a strict schema over strings.
 * @throws 422 `validation_error` with all faults. The fault of an unknown parameter lists the allowed ones.
 */
export function readQuery<T>(schema: z.ZodType<T>, url: string): T {
  const fields = fieldsOf(url);
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of fields.keys()) (seen.has(name) ? repeated : seen).add(name);
  const faults = [
    ...[...repeated].map((name) => ({ name, message: "occurs more than once" })),
    ...unreadable(url).map((name) => ({ name, message: "is not percent-encoded UTF-8" })),
  ];
  if (faults.length > 0)
    throw invalid(faults.map(({ name, message }) => ({ path: fieldPath([name]), message })));
  const allowed = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [...seen];
  const unknown = [...seen].filter((name) => !allowed.includes(name));
  const known = Object.fromEntries([...fields].filter(([name]) => allowed.includes(name)));
  return validate(
    schema,
    known,
    unknown.map((name) => unknownParameter(name, allowed)),
  );
}

/** Returns the faults that `readQuery` would throw. */
export function queryFaults(schema: z.ZodType, url: string): readonly FieldFault[] {
  try {
    readQuery(schema, url);
    return [];
  } catch (error) {
    if (error instanceof ApiError && error.details !== undefined) return error.details;
    throw error;
  }
}

export function refusedParameters(url: string): FieldFault[] {
  return [...new Set(fieldsOf(url).keys())].map((name) => unknownParameter(name, []));
}

function fieldsOf(url: string): URLSearchParams {
  return new URLSearchParams(queryOf(url));
}

/** Without the question mark. */
export function queryOf(url: string): string {
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start + 1);
}

/** The parameters in which `URLSearchParams` would replace bytes, and so find something else. */
function unreadable(url: string): string[] {
  if (!url.includes("%")) return [];
  const pairs = queryOf(url).split("&");
  return pairs.filter((pair) => !isReadable(pair)).flatMap((pair) => [...new URLSearchParams(pair).keys()]);
}

function isReadable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function unknownParameter(name: string, allowed: readonly string[]): FieldFault {
  const hint =
    allowed.length === 0 ? "this path takes no query parameters" : `allowed are ${allowed.join(", ")}`;
  return { path: name === "" ? '""' : fieldPath([name]), message: `unknown parameter; ${hint}` };
}
