// The tenants' quotas, and the last counts of the services.
import type { Quota, UsageReport } from "@tradepost/messaging";
import type { Tenant } from "@tradepost/postgres";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";
import type { Maxima, Used } from "./near-quotas.ts";

/** Of tenants without their own; 0 is no quota. */
export type QuotasOfSettings = Readonly<Record<Quota, number>>;

/** Does nothing if the tenant has been deleted. */
export async function saveReport(
  { db, tenantId }: Tenant<Tables>,
  service: string,
  { bytes, counts }: UsageReport,
): Promise<void> {
  const { mediaBytes, eventBytes } = bytes;
  const json = counts === null ? null : JSON.stringify(counts);
  await sql`
    insert into tenant_usage as stored (tenant_id, service, media_bytes, event_bytes, bytes_at, counts, counts_at)
    select id, ${service}, ${mediaBytes}, ${eventBytes}, now(), coalesce(${json}::jsonb, '{}'),
           case when ${json}::jsonb is null then '-infinity' else now() end
      from tenants where id = ${tenantId}
    on conflict (tenant_id, service) do update
       set media_bytes = excluded.media_bytes, event_bytes = excluded.event_bytes, bytes_at = excluded.bytes_at,
           counts = case when ${json}::jsonb is null then stored.counts else excluded.counts end,
           counts_at = greatest(stored.counts_at, excluded.counts_at)`.execute(db);
}

interface StoredUsage {
  readonly used: Used;
  readonly max: Maxima;
  readonly near: readonly Quota[];
  readonly counts: Readonly<Record<string, number>>;
  /** Since each service was asked for everything. Services that were never asked are missing. */
  readonly ageMs: Readonly<Record<string, number>>;
}

export async function readUsage(
  { db, tenantId }: Tenant<Tables>,
  quotasOfSettings: QuotasOfSettings,
): Promise<StoredUsage | null> {
  const { rows } = await sql<{
    mediaBytes: number;
    eventBytes: number;
    mediaBytesMax: number;
    eventBytesMax: number;
    near: Quota[];
    reports: { service: string; counts: Record<string, number>; ageMs: number }[];
  }>`
    select coalesce(used.media_bytes, 0)::float8 as "mediaBytes", coalesce(used.event_bytes, 0)::float8 as "eventBytes",
           coalesce(media_bytes_max, ${quotasOfSettings.mediaBytes}::bigint)::float8 as "mediaBytesMax",
           coalesce(event_bytes_max, ${quotasOfSettings.eventBytes}::bigint)::float8 as "eventBytesMax",
           near_quotas as near, coalesce(reports, '[]') as reports
      from tenants
     cross join (select sum(media_bytes) as media_bytes, sum(event_bytes) as event_bytes,
                        json_agg(json_build_object('service', service, 'counts', counts, 'ageMs',
                                                   extract(epoch from clock_timestamp() - counts_at) * 1000))
                          filter (where counts_at > '-infinity') as reports
                   from tenant_usage where tenant_id = ${tenantId}) as used
     where tenants.id = ${tenantId}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { mediaBytes, eventBytes, mediaBytesMax, eventBytesMax, near, reports } = row;
  return {
    used: { mediaBytes, eventBytes },
    max: { mediaBytes: mediaBytesMax || null, eventBytes: eventBytesMax || null },
    near,
    counts: Object.assign({}, ...reports.map(({ counts }) => counts)),
    ageMs: Object.fromEntries(reports.map(({ service, ageMs }) => [service, ageMs])),
  };
}

const DAYS_MAX = 31;

export async function readRequestDays({ db, tenantId }: Tenant<Tables>) {
  const { rows } = await sql<{ day: string; count: number; refused: number }>`
    select day::text as day, count::float8 as count, refused::float8 as refused
      from request_days where tenant_id = ${tenantId} order by request_days.day desc limit ${DAYS_MAX}`.execute(
    db,
  );
  return rows;
}

export async function saveNear({ db, tenantId }: Tenant<Tables>, near: readonly Quota[]): Promise<void> {
  await db
    .updateTable("tenants")
    .set({ near_quotas: [...near] })
    .where("id", "=", tenantId)
    .execute();
}

const STALE_MAX = 100;

/**
 * Tenants about which to ask a service although they may change nothing: those near a quota, because old events expire, after
 * `afterMs`; and those whose quotas the operator has changed.
 */
export async function findStale(db: Kysely<Tables>, service: string, afterMs: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from tenants
     where near_quotas <> '{}'
       and exists (select from tenant_usage
                    where tenant_id = tenants.id and service = ${service}
                      and bytes_at < now() - ${afterMs} * interval '1 ms')
     union
    select tenant_id from tenant_usage where service = ${service} and bytes_at = '-infinity'
     limit ${STALE_MAX}`.execute(db);
  return rows.map(({ id }) => id);
}

export async function forgetUsage({ db, tenantId }: Tenant<Tables>): Promise<void> {
  await sql`update tenant_usage set bytes_at = '-infinity' where tenant_id = ${tenantId}`.execute(db);
}

/** `tenant` is the alias of its row; the others are the parameters with the quotas of tenants without their own. 0 is no quota. */
export function passedQuotas(tenant: string, mediaBytesMax: string, eventBytesMax: string): string {
  // A sum of bigint is numeric, and slower.
  return `(
    select array_remove(array[
             case when sum(media_bytes::float8) >= nullif(coalesce(${tenant}.media_bytes_max, ${mediaBytesMax}::bigint), 0)
                  then 'mediaBytes' end,
             case when sum(event_bytes::float8) >= nullif(coalesce(${tenant}.event_bytes_max, ${eventBytesMax}::bigint), 0)
                  then 'eventBytes' end], null)
      from tenant_usage where tenant_usage.tenant_id = ${tenant}.id)`;
}
