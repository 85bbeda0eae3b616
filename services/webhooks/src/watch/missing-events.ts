// Watches published events that have not arrived: notices their arrival, and reports those that are lost.
import { NO_ID } from "@tradepost/http";
import { reportMissing } from "@tradepost/messaging";
import { type Logger, type Metrics, type Repetition, repeatOrWarn } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../tables.ts";

const LOOK_EVERY_MS = 10_000;
// While no missing event is known; another replica may find one.
const LOOK_WHEN_NONE_EVERY_MS = 60_000;
// A purged backlog may have a million events.
const BATCH_EVENTS_MAX = 5_000;
const NEXT_BATCH_AFTER_MS = 500;
// The ledger keeps today too, and clocks differ.
const DAYS_LONGER = 2;
const NO_EVENT = { tenantId: NO_ID, eventId: NO_ID };

interface Missing {
  readonly service: string;
  readonly missing: number;
  readonly gapSeconds: number;
  readonly since: Date | null;
  readonly until: Date | null;
  readonly comparedSecondsAgo: number;
}

/** Counts an event as missing only after `graceMs`: a process that has just died may hold it. */
export function startMissingEvents(options: {
  db: Kysely<Tables>;
  graceMs: number;
  logDays: number;
  metrics: Metrics;
  logger: Logger;
}): Repetition {
  const { db, graceMs, logDays, metrics, logger } = options;
  const lookEveryMs = Math.min(LOOK_EVERY_MS, graceMs);
  let last = NO_EVENT;
  const log = reportMissing(logger, "published events");
  const read = () => readMissing(db, graceMs);
  exposeMetrics(metrics, read);

  async function report(): Promise<boolean> {
    const rows = await read();
    return log(rows.map(({ missing, gapSeconds, ...row }) => ({ ...row, facts: { missing, gapSeconds } })));
  }

  return repeatOrWarn(logger, "missing events could not be looked for; retrying", lookEveryMs, async () => {
    const batch = await forgetArrived(db, last, logDays + DAYS_LONGER);
    const isFull = batch !== undefined && batch.checked >= BATCH_EVENTS_MAX;
    last = isFull ? { tenantId: batch.lastTenant, eventId: batch.lastEvent } : NO_EVENT;
    if (isFull) return NEXT_BATCH_AFTER_MS;
    const isMissing = await report();
    const mayBeMissing = isMissing || (batch !== undefined && (batch.checked > 0 || batch.hasGap));
    return mayBeMissing ? lookEveryMs : LOOK_WHEN_NONE_EVERY_MS;
  });
}

function exposeMetrics(metrics: Metrics, read: () => Promise<Missing[]>): void {
  const expose = (name: string, help: string, value: (row: Missing) => number) =>
    metrics.gauge(name, help, ["producer"], async (gauge) => {
      for (const row of await read()) gauge.set({ producer: row.service }, value(row));
    });
  expose(
    "events_missing",
    "Events that the producer has published and that have not arrived, although the queue was empty since.",
    ({ missing }) => missing,
  );
  expose(
    "events_untallied_seconds",
    "Seconds of the producer's publications that no tally covers, so that nobody knows whether events of that time are missing.",
    ({ gapSeconds }) => gapSeconds,
  );
  expose(
    "events_tally_age_seconds",
    "Seconds since the end of the time that the producer's last tally covers.",
    ({ comparedSecondsAgo }) => comparedSecondsAgo,
  );
}

// After 7 days services no longer publish an event again. The ledger still needs it.
const MAY_ARRIVE = sql`published_until >= now() - interval '7 days'`;

/** Forgets arrived events of the page after `last`, and everything that is too old. */
async function forgetArrived(db: Kysely<Tables>, last: typeof NO_EVENT, daysMax: number) {
  const { rows } = await sql<{ checked: number; lastTenant: string; lastEvent: string; hasGap: boolean }>`
  with expired as (
    delete from tally_gaps where until < now() - interval '7 days'
  ), outdated as (
    delete from missing_events where published_until < now() - ${daysMax} * interval '1 day'
  ), checked as (
    select tenant_id, event_id from missing_events
     where (tenant_id, event_id) > (${last.tenantId}::uuid, ${last.eventId}::uuid) and ${MAY_ARRIVE}
     order by tenant_id, event_id
     limit ${BATCH_EVENTS_MAX}
  ), forgotten as (
    delete from missing_events using checked
     where missing_events.tenant_id = checked.tenant_id and missing_events.event_id = checked.event_id
       and (select true from events where events.tenant_id = checked.tenant_id and events.id = checked.event_id)
  )
  select count(*)::integer as checked,
         (array_agg(tenant_id order by tenant_id desc, event_id desc))[1] as "lastTenant",
         (array_agg(event_id order by tenant_id desc, event_id desc))[1] as "lastEvent",
         (select exists (select from tally_gaps)) as "hasGap"
    from checked`.execute(db);
  return rows[0];
}

/** Times are rounded so that they enclose the period. */
async function readMissing(db: Kysely<Tables>, graceMs: number): Promise<Missing[]> {
  const isNoticed = sql`noticed_at <= now() - ${graceMs} * interval '1 ms'`;
  const { rows } = await sql<Missing>`
  select service, coalesce(event.count, 0)::float as missing, coalesce(gap.seconds, 0)::float as "gapSeconds",
         date_trunc('milliseconds', least(event.since, gap.since)) as since,
         date_trunc('milliseconds', greatest(event.until, gap.until) + interval '1 ms') as until,
         extract(epoch from clock_timestamp() - compared_until)::float as "comparedSecondsAgo"
    from tallies
    left join (select service, count(*), min(published_since) as since, max(published_until) as until
                 from missing_events where ${isNoticed} and ${MAY_ARRIVE} group by service) as event
         using (service)
    left join (select service, sum(extract(epoch from until - since)) as seconds, min(since) as since, max(until) as until
                 from tally_gaps where ${isNoticed} group by service) as gap
         using (service)
   order by service`.execute(db);
  return rows;
}
