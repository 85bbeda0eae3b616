// Writes the requests of tenants in batches after their responses, so that no request waits for it. Requests that arrive faster
// than they can be written are dropped and counted (interface §19).
import type { FinishedRequest } from "@tradepost/http";
import { type Columns, columnsOf, namedStatement, rotateDayPartitions } from "@tradepost/postgres";
import { type Logger, type Metrics, newId, repeat } from "@tradepost/runtime";
import type { Pool } from "pg";

const WRITE_EVERY_MS = 1_000;
const BATCH_MAX = 1_000;
// A request takes about 500 bytes.
const WAITING_MAX = 20_000;
const KEPT_DAYS = 7;
const ROTATE_EVERY_MS = 60 * 60 * 1_000;

type LoggedRequest = FinishedRequest & { readonly principal: NonNullable<FinishedRequest["principal"]> };

export function startRequestLog(options: { pool: Pool; metrics: Metrics; logger: Logger }) {
  const { pool, logger } = options;
  const dropped = options.metrics.counter(
    "request_log_dropped_total",
    "Requests that are missing in the tenants' request logs, because they could not be written in time.",
  );
  let waiting: LoggedRequest[] = [];

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      await pool.query(insertStatement(batch));
      waiting = waiting.slice(batch.length);
    }
  }

  const writing = repeat(async () => {
    try {
      await write();
    } catch (error) {
      logger.warn({ err: error, waiting: waiting.length }, "requests were not logged; retrying");
    }
    return WRITE_EVERY_MS;
  });
  const rotating = repeat(async () => {
    try {
      await rotateDayPartitions(pool, "requests", KEPT_DAYS);
      await pool.query(DELETE_OLD_DAYS);
    } catch (error) {
      logger.warn({ err: error }, "old days of the request log were not dropped; retrying");
    }
    return ROTATE_EVERY_MS;
  });

  return {
    /** Does nothing for a request without an authenticated caller. */
    add: (request: FinishedRequest): void => {
      if (request.principal === undefined) return;
      if (waiting.length >= WAITING_MAX) dropped.inc();
      else waiting.push(request as LoggedRequest);
    },
    /** Writes the requests that are still waiting. */
    stop: async () => {
      await Promise.all([writing.stop(), rotating.stop()]);
      await write().catch(() => dropped.inc(waiting.length));
    },
  };
}

const columns: Columns<readonly LoggedRequest[]> = {
  tenant_id: (requests) => requests.map(({ principal }) => principal.tenantId),
  id: (requests) => requests.map(() => newId()),
  created_at: (requests) => requests.map(({ at }) => at),
  request_id: (requests) => requests.map(({ requestId }) => requestId),
  method: (requests) => requests.map(({ method }) => method),
  route: (requests) => requests.map(({ route }) => route),
  status: (requests) => requests.map(({ status }) => status),
  code: (requests) => requests.map(({ code }) => code),
  actor_type: (requests) => requests.map(({ principal }) => principal.actor.type),
  actor_id: (requests) => requests.map(({ principal }) => principal.actor.id),
  actor_name: (requests) => requests.map(({ principal }) => principal.actor.name),
  duration_ms: (requests) => requests.map(({ durationMs }) => durationMs),
  request_bytes: (requests) => requests.map(({ requestBytes }) => requestBytes),
  response_bytes: (requests) => requests.map(({ responseBytes }) => responseBytes),
};

// The days are updated in the order of their key, so that two processes do not deadlock.
const insertStatement = namedStatement<readonly LoggedRequest[]>(
  `
  with logged as (
    insert into requests (${columnsOf(columns)})
    select * from unnest($request.tenant_id::uuid[], $request.id::uuid[], $request.created_at::timestamptz[],
                         $request.request_id::text[], $request.method::text[], $request.route::text[],
                         $request.status::smallint[], $request.code::text[], $request.actor_type::text[],
                         $request.actor_id::text[], $request.actor_name::text[], $request.duration_ms::integer[],
                         $request.request_bytes::bigint[], $request.response_bytes::bigint[]) as request (tenant_id)
     where not exists (select from deleted_tenants where tenant_digest = sha256(uuid_send(request.tenant_id)))
    returning tenant_id, created_at, status
  )
  insert into request_days as counted (tenant_id, day, count, refused)
  select tenant_id, (created_at at time zone 'utc')::date, count(*), count(*) filter (where status = 429)
    from logged
   group by 1, 2
   order by 1, 2
  on conflict (tenant_id, day) do update
     set count = counted.count + excluded.count, refused = counted.refused + excluded.refused`,
  { request: columns },
);

const DELETE_OLD_DAYS = "delete from request_days where day < (now() at time zone 'utc')::date - 30";
