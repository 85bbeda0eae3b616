// Says which audit entries a service has published, so that the gateway, which asks for them, notices if the broker lost some
// (docs/decisions/0017-lost-events-are-noticed-by-tallies.md).
import type { Pool } from "pg";
import { AUDIT_PREFIX } from "./outbox.ts";

const ENTRIES_MAX = 1_000;
// Bounds how many events are read for a gateway that has not asked for days.
const PERIOD_MAX_MS = 10 * 60_000;

/** Published at or after the time asked for and before `until`. */
export interface AuditTally {
  /** ISO 8601 with microseconds. May be before the time asked for if the database's clock was set back. */
  readonly until: string;
  readonly entries: readonly { readonly tenantId: string; readonly entryId: string }[];
  readonly hasMore: boolean;
}

/**
 * Reads the entries published since `since` that are at least `ageMs` old: by then consumers have received them, and relays have
 * committed. Returns none during a replay. `isAuditOnly` is for an outbox of `auditOnlyRow`s.
 */
export async function readAuditTally(
  pool: Pool,
  { since, ageMs, isAuditOnly = false }: { since: string; ageMs: number; isAuditOnly?: boolean },
): Promise<AuditTally> {
  const { rows: periods } = await pool.query<Period>(READ_PERIOD, [since, ageMs, PERIOD_MAX_MS]);
  const [period] = periods;
  if (period === undefined) return { until: since, entries: [], hasMore: false };
  const prefix = isAuditOnly ? "" : AUDIT_PREFIX;
  const { rows } = await pool.query<TalliedRow>(PUBLISHED, [period.since, period.until, prefix, ENTRIES_MAX]);
  const next = rows.length >= ENTRIES_MAX ? rows.at(-1)?.next : undefined;
  return {
    until: next ?? period.until,
    entries: rows.map(({ tenantId, entryId }) => ({ tenantId, entryId })),
    hasMore: next !== undefined || period.isCut,
  };
}

interface Period {
  readonly since: string;
  readonly until: string;
  readonly isCut: boolean;
}

interface TalliedRow {
  readonly tenantId: string;
  readonly entryId: string;
  readonly next: string;
}

// After 7 days an event may be gone. Times are text, because a Date would lose the microseconds.
const READ_PERIOD = `
  select to_json(since)#>>'{}' as since, to_json(least(until, since + max))#>>'{}' as until, until > since + max as "isCut"
    from (select greatest($1::timestamptz, now() - interval '7 days') as since,
                 clock_timestamp() - $2::integer * interval '1 ms' as until,
                 $3::integer * interval '1 ms' as max) as asked
   where not exists (select from replay)`;

// All events of a relay's batch have the same publication time, so there may be some more rows than the limit.
const PUBLISHED = `
  select tenant_id as "tenantId", event_id as "entryId",
         to_json(published_at + interval '1 microsecond')#>>'{}' as next
    from published_events
   where published_at >= $1::timestamptz and published_at < $2::timestamptz and starts_with(type, $3)
   order by published_at
   fetch first $4 rows with ties`;
