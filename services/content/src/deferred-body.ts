// A request body whose validation needs more than its schema: the content type that it names, or the path.
import { type FieldFault, validate } from "@tradepost/http";
import type { z } from "zod";

export interface DeferredBody<Input> {
  readonly json: unknown;
  /** Throws 422 with these faults and the schema's, so that one response names every fault. */
  validate(otherFaults: readonly FieldFault[]): Input;
}

/** For the route table: the body has this schema, and the handler calls `validate`. */
export function deferred<Input>(schema: z.ZodType<Input>) {
  return (json: unknown): DeferredBody<Input> => ({
    json,
    validate: (otherFaults) => validate(schema, json, otherFaults),
  });
}
