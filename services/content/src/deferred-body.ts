// A request body whose validation needs more than its schema: the content type that it names, or the path.
import type { FieldFault, Validate } from "@tradepost/http";
import type { z } from "zod";

export interface DeferredBody<Input> {
  readonly json: unknown;
  /** Throws 422 with these faults, the schema's and those outside the body, so that one response names every fault. */
  validate(moreFaults: readonly FieldFault[]): Input;
}

/** For the route table: the body has this schema, and the handler calls `validate`. */
export function deferred<Input>(schema: z.ZodType<Input>) {
  return (json: unknown, otherFaults: readonly FieldFault[], validate: Validate): DeferredBody<Input> => ({
    json,
    validate: (moreFaults) => validate(schema, json, [...otherFaults, ...moreFaults]),
  });
}
