// Parts that the routes of several nouns share.
import type { ApiRequest, ApiResponse, FieldFault, Validate } from "@tradepost/http";
import { insertRecord, withIdempotencyKey } from "@tradepost/idempotency";
import type { Tenant, TenantDatabases } from "@tradepost/postgres";
import { z } from "zod";
import type { Tables } from "./tables.ts";

export const READ = { module: "content", role: "viewer", scope: "read:content" } as const;
export const WRITE = { module: "content", role: "editor", scope: "write:content" } as const;

export const deleted = z
  .strictObject({ id: z.uuid(), deleted: z.literal(true) })
  .meta({ id: "Deleted", description: "The resource is gone." });

/** A request body whose validation needs more than its schema: the content type that it names, or the path. */
export interface DeferredBody<Input> {
  readonly json: unknown;
  /** Throws 422 with these faults, the schema's and those outside the body, so that one response names every fault. */
  validate(moreFaults: readonly FieldFault[]): Input;
}

export function deferred<Input>(schema: z.ZodType<Input>) {
  return (json: unknown, otherFaults: readonly FieldFault[], validate: Validate): DeferredBody<Input> => ({
    json,
    validate: (moreFaults) => validate(schema, json, [...otherFaults, ...moreFaults]),
  });
}

/** The handler of a POST whose change commits in one transaction with the record of its response. */
export function recording<Body>(
  { tenants, onCommit }: { tenants: TenantDatabases<Tables>; onCommit: () => void },
  change: (tx: Tenant<Tables>, request: ApiRequest<Body, undefined>) => Promise<ApiResponse>,
) {
  return withIdempotencyKey(tenants, async (tenant, request: ApiRequest<Body, undefined>) => {
    const response = await tenant.transaction(async (tx) => {
      const changed = await change(tx, request);
      await insertRecord(tx, request.idempotencyKey, changed);
      return changed;
    });
    onCommit();
    return response;
  });
}
