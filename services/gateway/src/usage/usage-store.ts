// The tenants' quotas, and the last counts of the services.
import type { Quota, UsageReport } from "@tradepost/messaging";
import { type RowColumns, rowsAs } from "@tradepost/postgres";
import { type Kysely, sql } from "kysely";
import { SERVICES, type ServiceName } from "../services.ts";
import type { Tables, Tenant } from "../tables.ts";
import type { Maxima, Used } from "./near-quotas.ts";

/** The quotas of tenants without their own; 0 means no quota. */
export type QuotasOfSettings = Readonly<Record<Quota, number>>;

export interface TenantReport extends UsageReport {
  readonly tenantId: string;
}

const reportColumns: RowColumns<TenantReport> = {
  tenant_id: ["uuid", ({ tenantId }) => tenantId],
  media_bytes: ["bigint", ({ bytes }) => bytes.mediaBytes],
  event_bytes: ["bigint", ({ bytes }) => bytes.eventBytes],
  counts: ["text", ({ counts }) => (counts === null ? null : JSON.stringify(counts))],
};

// Unchanged bytes get a new time only after this long. `findStale` needs no greater precision.
const UNCHANGED_MS = 60_000;

/**
 * Returns the tenants whose row was written. Skips deleted tenants, and reports without counts that repeat the bytes of a short time
 * ago. The rows are written in the order of their key, so that two replicas do not deadlock.
 */
export async function saveReports(
  db: Kysely<Tables>,
  service: string,
  reports: readonly TenantReport[],
): Promise<string[]> {
  const { rows } = await sql<{ tenantId: string }>`
    insert into tenant_usage as stored (tenant_id, service, media_bytes, event_bytes, bytes_at, counts, counts_at)
    select tenant.id, ${service}, report.media_bytes, report.event_bytes, now(), coalesce(report.counts::jsonb, '{}'),
           case when report.counts is null then '-infinity' else now() end
      from ${rowsAs("report", reportColumns, reports)}
     cross join lateral (select id from tenants where tenants.id = report.tenant_id limit 1) as tenant
      left join lateral (select media_bytes, event_bytes, bytes_at from tenant_usage
                          where tenant_usage.tenant_id = report.tenant_id and service = ${service}
                          limit 1) as before on true
     where report.counts is not null
        or (before.media_bytes, before.event_bytes) is distinct from (report.media_bytes, report.event_bytes)
        or before.bytes_at < now() - ${UNCHANGED_MS} * interval '1 ms'
     order by tenant.id
    on conflict (tenant_id, service) do update
       set media_bytes = excluded.media_bytes, event_bytes = excluded.event_bytes, bytes_at = excluded.bytes_at,
           counts = case when excluded.counts_at = '-infinity' then stored.counts else excluded.counts end,
           counts_at = greatest(stored.counts_at, excluded.counts_at)
    returning tenant_id as "tenantId"`.execute(db);
  return rows.map(({ tenantId }) => tenantId);
}

export interface StoredUsage {
  readonly tenantId: string;
  readonly used: Used;
  readonly max: Maxima;
  readonly near: readonly Quota[];
  readonly counts: Readonly<Record<string, number>>;
  /** Since each service was asked for everything. Services that were never asked are missing. */
  readonly ageMs: Readonly<Record<string, number>>;
}

/** Leaves out tenants that have been deleted. */
export async function readUsage(
  db: Kysely<Tables>,
  tenantIds: readonly string[],
  quotasOfSettings: QuotasOfSettings,
): Promise<StoredUsage[]> {
  const { rows } = await sql<{
    tenantId: string;
    mediaBytes: number;
    eventBytes: number;
    mediaBytesMax: number;
    eventBytesMax: number;
    near: Quota[];
    reports: { service: string; counts: Record<string, number>; ageMs: number }[];
  }>`
    select tenant.id as "tenantId",
           coalesce(used.media_bytes, 0)::float8 as "mediaBytes", coalesce(used.event_bytes, 0)::float8 as "eventBytes",
           coalesce(media_bytes_max, ${quotasOfSettings.mediaBytes}::bigint)::float8 as "mediaBytesMax",
           coalesce(event_bytes_max, ${quotasOfSettings.eventBytes}::bigint)::float8 as "eventBytesMax",
           near_quotas as near, coalesce(reports, '[]') as reports
      from unnest(${tenantIds}::uuid[]) as wanted (id)
     cross join lateral (select id, media_bytes_max, event_bytes_max, near_quotas
                           from tenants where tenants.id = wanted.id limit 1) as tenant
     cross join lateral (
       select sum(media_bytes) as media_bytes, sum(event_bytes) as event_bytes,
              json_agg(json_build_object('service', service, 'counts', counts, 'ageMs',
                                         extract(epoch from clock_timestamp() - counts_at) * 1000))
                filter (where counts_at > '-infinity') as reports
         from tenant_usage where tenant_usage.tenant_id = tenant.id) as used`.execute(db);
  return rows.map(({ tenantId, mediaBytes, eventBytes, mediaBytesMax, eventBytesMax, near, reports }) => ({
    tenantId,
    used: { mediaBytes, eventBytes },
    max: { mediaBytes: mediaBytesMax || null, eventBytes: eventBytesMax || null },
    near,
    counts: Object.assign({}, ...reports.map(({ counts }) => counts)),
    ageMs: Object.fromEntries(reports.map(({ service, ageMs }) => [service, ageMs])),
  }));
}

const DAYS_MAX = 31;

export async function readRequestDays({ db, tenantId }: Tenant) {
  const { rows } = await sql<{ day: string; count: number; refused: number }>`
    select day::text as day, count::float8 as count, refused::float8 as refused
      from request_days where tenant_id = ${tenantId} order by request_days.day desc limit ${DAYS_MAX}`.execute(
    db,
  );
  return rows;
}

export async function saveNear({ db, tenantId }: Tenant, near: readonly Quota[]): Promise<void> {
  await db
    .updateTable("tenants")
    .set({ near_quotas: [...near] })
    .where("id", "=", tenantId)
    .execute();
}

export const STALE_MAX = 1_000;

/**
 * Tenants about which to ask a service although they may change nothing: after `afterMs`, a tenant near a quota, because old
 * events expire; and a tenant whose quotas the operator has changed.
 */
export async function findStale(db: Kysely<Tables>, afterMs: number) {
  // A tenant has a row for each service. With a limit, Postgres reads the rows of each tenant by their key.
  const { rows } = await sql<{ tenantId: string; service: ServiceName }>`
    select id as "tenantId", service
      from tenants
     cross join lateral (select service from tenant_usage
                          where tenant_usage.tenant_id = tenants.id
                            and bytes_at < now() - ${afterMs} * interval '1 ms'
                          limit ${SERVICES.length}) as stale
     where near_quotas <> '{}'
     union
    select tenant_id, service from tenant_usage where bytes_at = '-infinity'
     limit ${STALE_MAX}`.execute(db);
  return rows;
}

export async function forgetUsage({ db, tenantId }: Tenant): Promise<void> {
  await sql`update tenant_usage set bytes_at = '-infinity' where tenant_id = ${tenantId}`.execute(db);
}

/** The used-up quotas of the row `tenant`; `asked` has the quotas of tenants without their own. 0 means no quota. */
export const PASSED_QUOTAS =
  // A sum of bigint is numeric, and slower.
  `(
    select array_remove(array[
             case when sum(media_bytes::float8) >= nullif(coalesce(tenant.media_bytes_max, $asked.media_bytes::bigint), 0)
                  then 'mediaBytes' end,
             case when sum(event_bytes::float8) >= nullif(coalesce(tenant.event_bytes_max, $asked.event_bytes::bigint), 0)
                  then 'eventBytes' end], null)
      from tenant_usage where tenant_usage.tenant_id = tenant.id)`;
