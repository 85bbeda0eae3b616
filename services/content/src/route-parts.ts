import type { FieldFault, Validate } from "@tradepost/http";
import { z } from "zod";

export const READ = { module: "content", role: "viewer", scope: "read:content" } as const;
export const WRITE = { module: "content", role: "editor", scope: "write:content" } as const;

export const deleted = z
  .strictObject({ id: z.uuid(), deleted: z.literal(true) })
  .meta({ id: "Deleted", description: "The resource is gone." });

/** A body whose validation needs a content type or the path. */
export interface DeferredBody<Input> {
  readonly json: unknown;
  /** Throws 422 with the faults of the body and `moreFaults`. */
  validate(moreFaults: readonly FieldFault[]): Input;
}

export function deferred<Input>(schema: z.ZodType<Input>) {
  return (json: unknown, otherFaults: readonly FieldFault[], validate: Validate): DeferredBody<Input> => ({
    json,
    validate: (moreFaults) => validate(schema, json, [...otherFaults, ...moreFaults]),
  });
}
