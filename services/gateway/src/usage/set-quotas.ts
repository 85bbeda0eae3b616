// A tenant's quotas, for `npm run ops -- tenant quota` (interface §9, §19).
import { type Quota, quotas } from "@tradepost/messaging";
import { tenantOf } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import { OPERATOR, type OperatorActor, recordAudit } from "../audit-log/audit-log.ts";
import type { Tables, Tenant } from "../tables.ts";
import { forgetUsage } from "./usage-store.ts";

/** Null for the default of the settings; 0 for no quota. Missing quotas stay. */
export type QuotaChange = { readonly [quota in Quota]?: number | null };

const COLUMNS = { mediaBytes: "media_bytes_max", eventBytes: "event_bytes_max" } as const;

/** Takes effect on the next request. */
export async function setQuotas(
  db: Kysely<Tables>,
  tenantId: string,
  change: QuotaChange,
  actor: OperatorActor = OPERATOR,
) {
  return await tenantOf(db, tenantId).transaction(async (tx) => {
    await sql`select from tenants where id = ${tenantId} for update`.execute(tx.db);
    const before = await readQuotas(tx);
    const changed = quotas.filter(
      (quota) => change[quota] !== undefined && change[quota] !== before.quotas[quota],
    );
    if (changed.length === 0) return before;
    await tx.db
      .updateTable("tenants")
      .set(Object.fromEntries(changed.map((quota) => [COLUMNS[quota], change[quota]])))
      .where("id", "=", tenantId)
      .execute();
    await forgetUsage(tx);
    const changes = Object.fromEntries(changed.map((quota) => [quota, change[quota]]));
    const cause = { principal: { tenantId, actor }, requestId: newId() };
    await recordAudit(
      tx,
      { action: "tenant.quotas_set", target: { type: "tenant", id: tenantId }, changes },
      cause,
    );
    return await readQuotas(tx);
  });
}

export async function showQuotas(db: Kysely<Tables>, tenantId: string) {
  return await readQuotas(tenantOf(db, tenantId));
}

async function readQuotas({ db, tenantId }: Tenant) {
  const { rows } = await sql<Record<"mediaBytesMax" | "eventBytesMax" | Quota, number | null>>`
    select media_bytes_max::float8 as "mediaBytesMax", event_bytes_max::float8 as "eventBytesMax",
           used.media_bytes::float8 as "mediaBytes", used.event_bytes::float8 as "eventBytes"
      from tenants
     cross join (select sum(media_bytes) as media_bytes, sum(event_bytes) as event_bytes
                   from tenant_usage where tenant_id = ${tenantId}) as used
     where tenants.id = ${tenantId}`.execute(db);
  const { mediaBytesMax = null, eventBytesMax = null, mediaBytes = null, eventBytes = null } = rows[0] ?? {};
  return {
    quotas: { mediaBytes: mediaBytesMax, eventBytes: eventBytesMax },
    used: { mediaBytes, eventBytes },
  };
}
