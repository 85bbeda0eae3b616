import { NO_ID } from "@tradepost/http";
import { type AdmittedCause, type Cause, withoutQuota } from "@tradepost/messaging";
import { queryUnprepared } from "@tradepost/postgres";
import { sql } from "kysely";
import { z } from "zod";
import type { Tenant } from "../tables.ts";

export const erasure = z
  .strictObject({
    id: z.uuid(),
    customerId: z.uuid(),
    status: z.enum(["running", "finished"]),
    rows: z.int().nonnegative().describe("How many rows have been changed or deleted so far."),
  })
  .meta({ id: "Erasure", description: "How far the erasure of a customer has come." });

export type Erasure = z.output<typeof erasure>;

export async function findErasure(
  tenant: Tenant,
  by: { id: string } | { customerId: string },
): Promise<Erasure | null> {
  const which = "id" in by ? sql`id = ${by.id}` : sql`customer_id = ${by.customerId}`;
  // Planned for its values: the two indexes look the same while the table is small.
  const rows = await queryUnprepared(
    tenant,
    sql<Erasure>`
      select id, customer_id as "customerId", rows, case when finished_at is null then 'running' else 'finished' end as status
        from erasures
       where tenant_id = ${tenant.tenantId} and ${which}`,
  );
  return rows[0] ?? null;
}

export type Progress =
  | { readonly step: "customer" }
  | { readonly step: "orders"; readonly after: { readonly createdAt: string; readonly id: string } }
  | { readonly step: "words"; readonly after: { readonly word: string; readonly id: string } }
  | { readonly step: "responses"; readonly after: { readonly route: string; readonly key: string } };

export const FIRST_STEP: Progress = { step: "customer" };
export const FIRST_ORDER = { createdAt: "-infinity", id: NO_ID };
export const FIRST_WORD = { word: "", id: NO_ID };
export const FIRST_RESPONSE = { route: "", key: "" };

export interface RunningErasure {
  readonly id: string;
  readonly customerId: string;
  readonly progress: Progress;
  readonly cause: AdmittedCause;
  readonly isAudited: boolean;
}

export async function lockErasure(tx: Tenant, id: string): Promise<RunningErasure | null> {
  const { rows } = await sql<LockedRow>`
    select id, customer_id as "customerId", progress, actor, request_id as "requestId", traceparent,
           not exists (select from outbox where tenant_id = ${tx.tenantId} and event_id = audit_event_id) as "isAudited"
      from erasures
     where tenant_id = ${tx.tenantId} and id = ${id} and finished_at is null
       for update of erasures skip locked`.execute(tx.db);
  const [row] = rows;
  if (row === undefined) return null;
  const { actor, requestId, traceparent, ...running } = row;
  const cause = { requestId, traceparent, principal: { tenantId: tx.tenantId, actor } };
  return { ...running, cause: withoutQuota(cause) };
}

type LockedRow = Omit<RunningErasure, "cause"> &
  Pick<Cause, "requestId" | "traceparent"> & { actor: Cause["principal"]["actor"] };

export interface Step {
  readonly next: Progress | null;
  readonly rows: number;
}

export async function saveProgress(tx: Tenant, id: string, { next, rows }: Step): Promise<void> {
  await sql`
    update erasures
       set progress = ${next === null ? null : JSON.stringify(next)}::json, rows = rows + ${rows}::integer,
           finished_at = case when ${next === null} then now() end
     where tenant_id = ${tx.tenantId} and id = ${id}`.execute(tx.db);
}
