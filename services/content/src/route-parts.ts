// Parts that the routes of several nouns share.
import type { FieldFault, Validate } from "@tradepost/http";
import { z } from "zod";

export const READ = { module: "content", role: "viewer", scope: "read:content" } as const;
export const WRITE = { module: "content", role: "editor", scope: "write:content" } as const;

/** The response to a DELETE. */
export const deleted = z
  .strictObject({ id: z.uuid(), deleted: z.literal(true) })
  .meta({ id: "Deleted", description: "The resource is gone." });

/** A request body whose validation needs more than its schema: the content type that it names, or the path. */
export interface DeferredBody<Input> {
  readonly json: unknown;
  /** Throws 422 with these faults, the schema's and those outside the body, so that one response names every fault. */
  validate(moreFaults: readonly FieldFault[]): Input;
}

/** The `body` of a route whose handler calls `validate`. */
export function deferred<Input>(schema: z.ZodType<Input>) {
  return (json: unknown, otherFaults: readonly FieldFault[], validate: Validate): DeferredBody<Input> => ({
    json,
    validate: (moreFaults) => validate(schema, json, [...otherFaults, ...moreFaults]),
  });
}
