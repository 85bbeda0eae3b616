// The route that lists the audit entries that a service has published. With it the gateway notices if the broker lost some
// (docs/decisions/0017-lost-events-are-noticed-by-tallies.md).
import { ok, type Route, route } from "@tradepost/http";
import type { Pool } from "pg";
import { z } from "zod";
import { AUDIT_PREFIX } from "./outbox.ts";

/** Does not begin with /v1, so no client reaches it through the gateway. */
export const AUDIT_TALLY_PATH = "/internal/audit-tally";

/** The entries published at or after the requested time and before `until`. */
export const auditTally = z.object({
  /** With microseconds. May be before the requested time if the database's clock was set back. */
  until: z.iso.datetime({ offset: true }),
  entries: z.array(z.object({ tenantId: z.uuid(), entryId: z.uuid() })).readonly(),
  hasMore: z.boolean(),
});

const tallyQuery = z.strictObject({
  since: z.iso.datetime({ offset: true }),
  ageMs: z.coerce.number().int().nonnegative().max(3_600_000),
});

/** `isAuditOnly` is for an outbox of `auditOnlyRow`s. */
export function auditTallyRoute(pool: Pool, { isAuditOnly = false }: { isAuditOnly?: boolean } = {}): Route {
  const prefix = isAuditOnly ? "" : AUDIT_PREFIX;
  return route(`GET ${AUDIT_TALLY_PATH}`, {
    module: null,
    role: "owner",
    scope: null,
    query: tallyQuery,
    about: null,
    handle: async ({ query }) => ok(await readAuditTally(pool, prefix, query)),
  });
}

const ENTRIES_MAX = 1_000;
// Bounds how many events are read for a gateway that has sent no request for days.
const PERIOD_MAX_MS = 10 * 60_000;

/**
 * Reads the entries published since `since` that are at least `ageMs` old: by then consumers have received them, and relays have
 * committed. Returns none during a replay.
 */
async function readAuditTally(
  pool: Pool,
  prefix: string,
  { since, ageMs }: z.output<typeof tallyQuery>,
): Promise<z.output<typeof auditTally>> {
  const { rows: periods } = await pool.query<Period>(READ_PERIOD, [since, ageMs, PERIOD_MAX_MS]);
  const [period] = periods;
  if (period === undefined) return { until: since, entries: [], hasMore: false };
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

type TalliedRow = Record<"tenantId" | "entryId" | "next", string>;

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
