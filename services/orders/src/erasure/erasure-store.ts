// Reads and writes the rows of erasures.
import type { Cause } from "@tradepost/messaging";
import type { TenantStatements } from "@tradepost/postgres";
import type { Tables } from "../tables.ts";

/** An erasure as the API shows it. */
export interface Erasure {
  readonly id: string;
  readonly customerId: string;
  readonly status: "running" | "finished";
  readonly rows: number;
}

/** Returns null if the tenant has no such erasure. */
export async function findErasure(
  tenant: TenantStatements<Tables>,
  by: { id: string } | { customerId: string },
): Promise<Erasure | null> {
  const { rows } = await tenant.query<Erasure>(
    "id" in by
      ? { text: `${FIND} and id = $2`, values: [tenant.tenantId, by.id] }
      : // Planned for its values: the two indexes look the same while the table is small.
        {
          text: `${FIND} and customer_id = $2`,
          values: [tenant.tenantId, by.customerId],
          isPrepared: false,
        },
  );
  return rows[0] ?? null;
}

const FIND = `
  select id, customer_id as "customerId", rows, case when finished_at is null then 'running' else 'finished' end as status
    from erasures
   where tenant_id = $1`;

/** The next step, and where it continues. */
export type Progress =
  | { readonly step: "customer" }
  | { readonly step: "orders"; readonly after: { readonly createdAt: string; readonly id: string } }
  | { readonly step: "words"; readonly after: { readonly word: string; readonly id: string } }
  | { readonly step: "responses"; readonly after: { readonly route: string; readonly key: string } };

export const FIRST_STEP: Progress = { step: "customer" };
const NO_ID = "00000000-0000-0000-0000-000000000000";
export const FIRST_ORDER = { createdAt: "-infinity", id: NO_ID };
export const FIRST_WORD = { word: "", id: NO_ID };
export const FIRST_RESPONSE = { route: "", key: "" };

export interface RunningErasure {
  readonly id: string;
  readonly customerId: string;
  readonly progress: Progress;
  readonly cause: Cause;
  /** Whether the broker has the audit entry. */
  readonly isAudited: boolean;
}

/** Locks a running erasure. Returns null if it is not running, or another process is working on it. */
export async function lockErasure(tx: TenantStatements<Tables>, id: string): Promise<RunningErasure | null> {
  const { rows } = await tx.query<LockedRow>({ text: LOCK, values: [tx.tenantId, id] });
  const [row] = rows;
  if (row === undefined) return null;
  const { actor, requestId, traceparent, ...running } = row;
  return { ...running, cause: { requestId, traceparent, principal: { tenantId: tx.tenantId, actor } } };
}

type LockedRow = Omit<RunningErasure, "cause"> &
  Pick<Cause, "requestId" | "traceparent"> & { actor: Cause["principal"]["actor"] };

const LOCK = `
  select id, customer_id as "customerId", progress, actor, request_id as "requestId", traceparent,
         not exists (select from outbox where tenant_id = $1 and event_id = audit_event_id) as "isAudited"
    from erasures
   where tenant_id = $1 and id = $2 and finished_at is null
     for update of erasures skip locked`;

/** What a step has done. Without a next step the erasure is finished. */
export interface Step {
  readonly next: Progress | null;
  readonly rows: number;
}

export async function saveProgress(
  tx: TenantStatements<Tables>,
  id: string,
  { next, rows }: Step,
): Promise<void> {
  await tx.query({
    text: SAVE,
    values: [tx.tenantId, id, next === null ? null : JSON.stringify(next), rows],
  });
}

const SAVE = `
  update erasures
     set progress = $3::json, rows = rows + $4::integer,
         finished_at = case when $3::json is null then now() end
   where tenant_id = $1 and id = $2`;
