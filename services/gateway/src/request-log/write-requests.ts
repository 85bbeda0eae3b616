// Writes the requests of tenants in batches after their responses (interface §19). Every request counts in its tenant's day. The
// growth of the log by one tenant is bounded: refused requests, and requests beyond a day's maximum, are sampled, and requests
// of a suspended tenant are not written.
import type { FinishedRequest, Refusal } from "@tradepost/http";
import {
  arrayParametersOf,
  arraysOf,
  columnsOf,
  namedStatement,
  type RowColumns,
  rotateDayPartitions,
} from "@tradepost/postgres";
import { type Logger, type Metrics, newId, repeatOnDemand, repeatOrWarn } from "@tradepost/runtime";
import type { Pool } from "pg";

const WRITE_EVERY_MS = 1_000;
const BATCH_MAX = 1_000;
// A request takes about 500 bytes.
const WAITING_MAX = 20_000;
// While the database is away, one tenant does not displace other tenants' requests.
const TENANT_WAITING_MAX = WAITING_MAX / 4;
const SAMPLED_PER_SECOND = 10;
// About 500 MB for each process.
const TENANT_DAY_MAX = 1_000_000;
const KEPT_DAYS = 7;
const ROTATE_EVERY_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

type LoggedRequest = Omit<FinishedRequest, "query"> & {
  readonly principal: NonNullable<FinishedRequest["principal"]>;
};

interface DayCount {
  readonly tenantId: string;
  readonly day: string;
  count: number;
  refused: number;
}

export function startRequestLog(options: {
  pool: Pool;
  metrics: Metrics;
  logger: Logger;
  tenantDayMax?: number;
}) {
  const { pool, logger, tenantDayMax = TENANT_DAY_MAX } = options;
  const dropped = options.metrics.counter(
    "request_log_dropped_total",
    "Requests that are missing in the tenants' request logs: refused ones beyond the sample, and what could not be written in time.",
  );
  const countOfSecond = countWithin(1_000);
  const countOfDay = countWithin(DAY_MS);
  const waitingOf = new Map<string, number>();
  let waiting: LoggedRequest[] = [];
  let uncounted = new Map<string, DayCount>();

  function isWritten({ principal: { tenantId }, status, refusal }: LoggedRequest): boolean {
    if (refusal?.code === "tenant_suspended") return false;
    if (waiting.length >= WAITING_MAX || (waitingOf.get(tenantId) ?? 0) >= TENANT_WAITING_MAX) return false;
    const isSampled = status === 429 || countOfDay(tenantId) > tenantDayMax;
    return !isSampled || countOfSecond(tenantId) <= SAMPLED_PER_SECOND;
  }

  async function write(): Promise<void> {
    while (waiting.length > 0 || uncounted.size > 0) {
      const requests = waiting.slice(0, BATCH_MAX);
      const days = uncounted;
      uncounted = new Map();
      try {
        await pool.query(insertStatement({ requests, days: [...days.values()] }));
      } catch (error) {
        for (const day of days.values()) addTo(uncounted, day);
        throw error;
      }
      waiting = waiting.slice(requests.length);
      for (const { principal } of requests) release(waitingOf, principal.tenantId);
    }
  }

  const writing = repeatOnDemand(logger, "requests were not logged; retrying", WRITE_EVERY_MS, {
    hasWork: () => waiting.length > 0 || uncounted.size > 0,
    run: async () => {
      await write();
      return WRITE_EVERY_MS;
    },
  });
  const rotating = startRotating(pool, logger);

  return {
    add: ({ query, ...finished }: FinishedRequest): void => {
      if (finished.principal === undefined) return;
      const request = finished as LoggedRequest;
      const { tenantId } = request.principal;
      const day = request.at.toISOString().slice(0, 10);
      addTo(uncounted, { tenantId, day, count: 1, refused: request.status === 429 ? 1 : 0 });
      if (isWritten(request)) {
        waiting.push(stored(request, query));
        waitingOf.set(tenantId, (waitingOf.get(tenantId) ?? 0) + 1);
      } else {
        dropped.inc();
      }
      writing.begin();
    },
    stop: async () => {
      await Promise.all([writing.stop(), rotating.stop()]);
      await write().catch(() => dropped.inc(waiting.length));
    },
  };
}

function stored(request: LoggedRequest, query: string): LoggedRequest {
  if (request.refusal === null) return request;
  const message = withoutValues(request.refusal.message.slice(0, MESSAGE_CHARACTERS_MAX), query);
  return { ...request, refusal: { ...request.refusal, message } };
}

/** Replaces what `message`, which may be cut off, quotes of the query. */
export function withoutValues(message: string, query: string): string {
  const parts = [...new URLSearchParams(query)].flat().map((part) => part.toLowerCase());
  return message.replace(/"(.+?)(?:"(?![^\s,;:.)])|$)/g, (run, quoted: string) =>
    parts.some((part) => part.includes(quoted.toLowerCase())) ? '"…"' : run,
  );
}

function startRotating(pool: Pool, logger: Logger) {
  return repeatOrWarn(
    logger,
    "old days of the request log were not dropped; retrying",
    ROTATE_EVERY_MS,
    async () => {
      await rotateDayPartitions(pool, "requests", KEPT_DAYS);
      await pool.query(DELETE_OLD_DAYS);
      return ROTATE_EVERY_MS;
    },
  );
}

/** Counts for a key, and starts again with each period of the clock. */
function countWithin(periodMs: number): (key: string) => number {
  let period = 0;
  let counts = new Map<string, number>();
  return (key) => {
    const now = Math.floor(Date.now() / periodMs);
    if (now !== period) counts = new Map();
    period = now;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };
}

function addTo(days: Map<string, DayCount>, added: DayCount): void {
  const key = `${added.tenantId} ${added.day}`;
  const known = days.get(key);
  if (known === undefined) {
    days.set(key, added);
    return;
  }
  known.count += added.count;
  known.refused += added.refused;
}

function release(counts: Map<string, number>, key: string): void {
  const left = (counts.get(key) ?? 0) - 1;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}

interface Batch {
  readonly requests: readonly LoggedRequest[];
  readonly days: readonly DayCount[];
}

const columns: RowColumns<LoggedRequest> = {
  tenant_id: ["uuid", ({ principal }) => principal.tenantId],
  id: ["uuid", () => newId()],
  created_at: ["timestamptz", ({ at }) => at],
  request_id: ["text", ({ requestId }) => requestId],
  method: ["text", ({ method }) => method],
  route: ["text", ({ route }) => route],
  status: ["smallint", ({ status }) => status],
  code: ["text", ({ refusal }) => refusal?.code],
  actor_type: ["text", ({ principal }) => principal.actor.type],
  actor_id: ["text", ({ principal }) => principal.actor.id],
  actor_name: ["text", ({ principal }) => principal.actor.name],
  ip: ["text", ({ principal: { actor, client } }) => (actor.type === "user" ? null : client?.ip)],
  duration_ms: ["integer", ({ durationMs }) => durationMs],
  request_bytes: ["bigint", ({ requestBytes }) => requestBytes],
  response_bytes: ["bigint", ({ responseBytes }) => responseBytes],
  outcome: ["json", outcomeOf],
};

// Together at most 1 KiB, with 3 bytes for a character of the message.
const MESSAGE_CHARACTERS_MAX = 200;
const PATHS_BYTES_MAX = 380;

function outcomeOf({ refusal, caused }: LoggedRequest): string | null {
  if (refusal !== null) return JSON.stringify(shortened(refusal));
  return caused.length === 0 ? null : JSON.stringify({ caused });
}

function shortened({ message, paths }: Refusal) {
  let bytes = 0;
  const isKept = (path: string) => {
    bytes += Buffer.byteLength(JSON.stringify(path)) + 1;
    return bytes <= PATHS_BYTES_MAX;
  };
  return { message, paths: paths.filter(isKept) };
}

const dayColumns: RowColumns<DayCount> = {
  tenant_id: ["uuid", ({ tenantId }) => tenantId],
  day: ["date", ({ day }) => day],
  count: ["bigint", ({ count }) => count],
  refused: ["bigint", ({ refused }) => refused],
};

// The days are updated in the order of their key, so that two processes do not deadlock.
const insertStatement = namedStatement<Batch>(
  `
  with logged as (
    insert into requests (${columnsOf(columns)})
    select * from unnest(${arrayParametersOf("request", columns)}) as request (tenant_id)
     where not exists (select from deleted_tenants where tenant_digest = sha256(uuid_send(request.tenant_id)))
  )
  insert into request_days as counted (${columnsOf(dayColumns)})
  select * from unnest(${arrayParametersOf("day", dayColumns)}) as day (tenant_id)
   where not exists (select from deleted_tenants where tenant_digest = sha256(uuid_send(day.tenant_id)))
   order by 1, 2
  on conflict (tenant_id, day) do update
     set count = counted.count + excluded.count, refused = counted.refused + excluded.refused`,
  { request: arraysOf(columns, ({ requests }) => requests), day: arraysOf(dayColumns, ({ days }) => days) },
);

const DELETE_OLD_DAYS = "delete from request_days where day < (now() at time zone 'utc')::date - 30";
