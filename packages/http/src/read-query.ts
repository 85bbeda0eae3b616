// Reads the query string through a route's schema. A misspelt filter that silently returned everything would be
// worse than a refusal, so unknown and repeated fields are 422 as in bodies.
import type { z } from "zod";
import { invalid } from "./api-error.ts";
import { fieldPath } from "./field-path.ts";
import { validate } from "./validate.ts";

/** In: a strict schema over strings, and the request's URL. Out: the parsed query. Throws 422. */
export function readQuery<T>(schema: z.ZodType<T>, url: string): T {
  const start = url.indexOf("?");
  const fields = new URLSearchParams(start === -1 ? "" : url.slice(start + 1));
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const name of fields.keys()) (seen.has(name) ? repeated : seen).add(name);
  if (repeated.size > 0) {
    throw invalid(
      [...repeated].map((name) => ({ path: fieldPath([name]), message: "is given more than once" })),
    );
  }
  return validate(schema, Object.fromEntries(fields));
}
