// Finds audit entries that other services have published and that did not arrive (decision 0017), because somebody purged
// `gateway.audit` or the broker lost them. The gateway asks, because a service may send nothing but its entries to the exchange.
import { NO_ID } from "@tradepost/http";
import { AUDIT_TALLY_PATH, auditTally, reportMissing } from "@tradepost/messaging";
import { namedStatement } from "@tradepost/postgres";
import { type Logger, type Metrics, type Repetition, repeat } from "@tradepost/runtime";
import type { Pool } from "pg";
import { type AskService, SERVICES, type ServiceName } from "../services.ts";

const EVERY_MS = 30_000;
// Leaves relays time to commit, and the queue time to be empty.
const AGE_MS = 60_000;
// A process that has just died may hold an entry.
const GRACE_MS = 30_000;

export interface MissingEntriesTimes {
  /** The period of all replicas together. */
  readonly everyMs?: number;
  readonly ageMs?: number;
  /** How long an entry may be in progress before it counts as missing. */
  readonly graceMs?: number;
}

interface Options extends MissingEntriesTimes {
  readonly pool: Pool;
  readonly ask: AskService;
  readonly countReady: () => Promise<number>;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

export function startMissingEntries(options: Options): Repetition {
  const { pool, ask, countReady, metrics, logger } = options;
  const { everyMs = EVERY_MS, ageMs = AGE_MS, graceMs = GRACE_MS } = options;
  const read = async () => (await pool.query<Missing>(readMissing({ graceMs }))).rows;
  const report = reportMissing(logger, "published audit entries");
  const stopping = new AbortController();
  exposeMetrics(metrics, read);

  async function compare(service: ServiceName): Promise<void> {
    const { rows } = await pool.query<{ since: string }>(claim({ service, everyMs }));
    let since = rows[0]?.since;
    while (since !== undefined && !stopping.signal.aborted) {
      const path = `${AUDIT_TALLY_PATH}?since=${encodeURIComponent(since)}&ageMs=${ageMs}`;
      const { until, entries, hasMore } = auditTally.parse(
        await ask(service, NO_ID, { method: "GET", path }),
      );
      // The entries were in the queue before the service was asked: once it is empty, each is stored, in progress or lost.
      if (entries.length > 0 && (await countReady()) > 0) return;
      await pool.query(noteMissing({ service, entries, since, until }));
      since = hasMore ? until : undefined;
    }
  }

  const repetition = repeat(async () => {
    for (const service of SERVICES) {
      try {
        await compare(service);
      } catch (error) {
        logger.warn({ err: error, producer: service }, "audit entries could not be compared; retrying");
      }
    }
    try {
      await pool.query(FORGET_ARRIVED);
      report((await read()).map(({ missing, ...row }) => ({ ...row, facts: { missing } })));
    } catch (error) {
      logger.warn({ err: error }, "missing audit entries could not be looked for; retrying");
    }
    return everyMs;
  });
  return {
    ...repetition,
    stop: async () => {
      stopping.abort();
      await repetition.stop();
    },
  };
}

interface Missing {
  readonly service: ServiceName;
  readonly missing: number;
  readonly since: Date | null;
  readonly until: Date | null;
  readonly comparedSecondsAgo: number;
}

function exposeMetrics(metrics: Metrics, read: () => Promise<Missing[]>): void {
  const expose = (name: string, help: string, value: (row: Missing) => number) =>
    metrics.gauge(name, help, ["producer"], async (gauge) => {
      for (const row of await read()) gauge.set({ producer: row.service }, value(row));
    });
  expose(
    "audit_entries_missing",
    "Audit entries that the producer has published and that have not arrived, although the queue was empty since.",
    ({ missing }) => missing,
  );
  expose(
    "audit_tally_age_seconds",
    "Seconds since the end of the time for which the producer's entries were compared.",
    ({ comparedSecondsAgo }) => comparedSecondsAgo,
  );
}

// Returns no row if a replica has asked the service lately. The first period begins now. An `asked_at` in the future is from before
// the clock was set back.
const claim = namedStatement<{ service: ServiceName; everyMs: number }>(
  `
  insert into audit_tallies (service, compared_until, asked_at) values ($asked.service, now(), now())
  on conflict (service) do update set asked_at = now()
     where audit_tallies.asked_at <= now() - $asked.every_ms::integer * interval '1 ms'
        or audit_tallies.asked_at > now()
  returning to_json(compared_until)#>>'{}' as since`,
  { asked: { service: ({ service }) => service, every_ms: ({ everyMs }) => everyMs } },
);

const IS_DELETED =
  "exists (select from deleted_tenants where tenant_digest = sha256(uuid_send(entry.tenant_id)))";

// The subquery is compared with null so that each entry is looked up by its key. If the service's clock was set back,
// `compared_until` goes back, too, and entries are compared again.
interface Compared {
  readonly service: ServiceName;
  readonly entries: readonly { readonly tenantId: string; readonly entryId: string }[];
  readonly since: string;
  readonly until: string;
}

const noteMissing = namedStatement<Compared>(
  `
  with noted as (
    insert into missing_audit_entries (tenant_id, entry_id, service, published_since, published_until)
    select tenant_id, id, $tally.service, $tally.since::timestamptz, $tally.until::timestamptz
      from unnest($entry.tenant_id::uuid[], $entry.id::uuid[]) as entry (tenant_id, id)
     where (select true from audit_log where audit_log.tenant_id = entry.tenant_id and audit_log.id = entry.id) is null
       and not ${IS_DELETED}
    on conflict do nothing
  )
  update audit_tallies set compared_until = $tally.until::timestamptz where service = $tally.service`,
  {
    tally: { service: ({ service }) => service, since: ({ since }) => since, until: ({ until }) => until },
    entry: {
      tenant_id: ({ entries }) => entries.map(({ tenantId }) => tenantId),
      id: ({ entries }) => entries.map(({ entryId }) => entryId),
    },
  },
);

// After 7 days services may no longer keep an entry.
const FORGET_ARRIVED = `
  delete from missing_audit_entries as entry
   where published_until < now() - interval '7 days' or ${IS_DELETED}
      or (select true from audit_log where audit_log.tenant_id = entry.tenant_id and audit_log.id = entry.entry_id)`;

// The times are rounded so that they enclose the period.
const readMissing = namedStatement<{ graceMs: number }>(
  `
  select service, coalesce(entry.count, 0)::float8 as missing,
         date_trunc('milliseconds', entry.since) as since,
         date_trunc('milliseconds', entry.until + interval '1 ms') as until,
         extract(epoch from clock_timestamp() - compared_until)::float8 as "comparedSecondsAgo"
    from audit_tallies
    left join (select service, count(*), min(published_since) as since, max(published_until) as until
                 from missing_audit_entries where noticed_at <= now() - $read.grace_ms::integer * interval '1 ms'
                group by service) as entry
         using (service)
   order by service`,
  { read: { grace_ms: ({ graceMs }) => graceMs } },
);
