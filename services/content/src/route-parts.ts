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

/** Needs the content type that it names, or the path. */
export interface DeferredBody<Input> {
  readonly json: unknown;
  /** Throws 422 with these faults, which are outside the body, too. */
  validate(moreFaults: readonly FieldFault[]): Input;
}

export function deferred<Input>(schema: z.ZodType<Input>) {
  return (json: unknown, otherFaults: readonly FieldFault[], validate: Validate): DeferredBody<Input> => ({
    json,
    validate: (moreFaults) => validate(schema, json, [...otherFaults, ...moreFaults]),
  });
}

/** The change and the record of its response commit together. */
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
