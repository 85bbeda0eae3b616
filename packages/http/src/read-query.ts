// Reads the query string through a route's schema. A misspelt filter that silently returned everything would be
// worse than a refusal, so unknown and repeated fields are 422 as in bodies.
import type { z } from "zod";
import { invalid } from "./api-error.ts";
import { validate } from "./validate.ts";

/** In: a strict schema over strings, and the request's URL. Out: the parsed query. Throws 422. */
export function readQuery<T>(schema: z.ZodType<T>, url: string): T {
  const start = url.indexOf("?");
  const fields = new URLSearchParams(start === -1 ? "" : url.slice(start + 1));
  const repeated = [...new Set(fields.keys())].filter((name) => fields.getAll(name).length > 1);
  if (repeated.length > 0)
    throw invalid(repeated.map((path) => ({ path, message: "is given more than once" })));
  return validate(schema, Object.fromEntries(fields));
}
