// The metrics of open deliveries, endpoints and dead letters (interface §14). Each scrape reads them through indexes, up to a bound.
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import { type Metrics, sharedRead } from "@tradepost/runtime";
import type { Pool } from "pg";
import { noticeKinds } from "../notices/notices.ts";
import { IN_TURN, WAITING_ENDPOINTS } from "../statement-parts.ts";
import { FAILING_AFTER_FAILURES } from "../subscriptions/subscriptions.ts";

// The age of the oldest delivery shows how large a larger backlog is.
const COUNTED_MAX = 100_000;
const ENDPOINTS_MAX = 10_000;

type OpenDeliveries = Readonly<
  Record<"waiting" | "leased" | "queued" | "claimed" | "delayed" | "paused", number>
>;
type Endpoints = Readonly<Record<"healthy" | "failing" | "down" | "paused" | "dead", number>> & {
  readonly notices: Readonly<Record<string, number>>;
};

/** The connections of `pool` must find rows by their indexes. */
export function watchDeliveries(pool: Pool, metrics: Metrics): void {
  const replicas = "Replicas report the same tables: aggregate with max.";
  const readOpen = sharedRead(async () => await only(pool.query<OpenDeliveries>(COUNT_OPEN)));
  const readOldest = sharedRead(() => readOldestWaiting(pool));
  const readEndpoints = sharedRead(() => countEndpoints(pool));
  metrics.gauge(
    "webhooks_deliveries",
    `Open deliveries by state, each counted up to ${COUNTED_MAX}, which means that many or more: waiting for their turn, queued on the broker, in_flight (being attempted), delayed until a retry, paused. ${replicas}`,
    ["state"],
    async (gauge) => {
      const { waiting, leased, queued, claimed, delayed, paused } = await readOpen();
      const counts = {
        waiting: Math.max(0, waiting - leased),
        queued,
        in_flight: claimed + leased,
        delayed,
        paused,
      };
      for (const [state, count] of Object.entries(counts)) gauge.set({ state }, count);
    },
  );
  metrics.gauge(
    "webhooks_oldest_waiting_seconds",
    `Seconds since the delivery that has waited longest for an attempt was due, or its subscription was resumed; except those that wait for a listener, or for an endpoint that has limits, is held or is down; 0 without one. ${replicas}`,
    [],
    async (gauge) => gauge.set((await readOldest()).seconds),
  );
  metrics.gauge(
    "webhooks_endpoints",
    `Subscriptions by the health of their endpoint: healthy, failing (${FAILING_AFTER_FAILURES} failed attempts in a row), down (for an hour), or paused. ${replicas}`,
    ["health"],
    async (gauge) => {
      const endpoints = await readEndpoints();
      for (const health of ["healthy", "failing", "down", "paused"] as const)
        gauge.set({ health }, endpoints[health]);
    },
  );
  metrics.gauge(
    "notices_open",
    `Open notices of all tenants by their kind. ${replicas}`,
    ["kind"],
    async (gauge) => {
      const { notices } = await readEndpoints();
      for (const kind of noticeKinds) gauge.set({ kind }, notices[kind] ?? 0);
    },
  );
  metrics.gauge(
    "webhooks_dead_letters",
    `Deliveries whose last attempt failed and that wait for the operator, at most ${COUNTED_MAX}. ${replicas}`,
    [],
    async (gauge) => gauge.set((await readEndpoints()).dead),
  );
}

/** `pool` is as in `watchDeliveries`. */
export async function readOldestWaiting(pool: Pool): Promise<{ seconds: number }> {
  return await only(pool.query<{ seconds: number }>(FIND_OLDEST));
}

/** Counts endpoints, open notices and dead letters of all tenants. */
export async function countEndpoints(pool: Pool): Promise<Endpoints> {
  return await only(pool.query<Endpoints>(COUNT_ENDPOINTS));
}

async function only<Row>(result: Promise<{ rows: Row[] }>): Promise<Row> {
  const [row] = (await result).rows;
  if (row === undefined) throw new Error("the statement returned no row");
  return row;
}

const OPEN = "status in ('pending', 'retrying')";

const countOf = (rows: string) => `(select count(*) from (${rows} limit ${COUNTED_MAX}) as counted)::float`;

// Messages on the broker and attempts in progress.
const QUEUED = `
  select tenant_id, subscription_id, next_attempt_at, coalesce(locked_until > now(), false) as is_claimed
    from deliveries
   where queue_state = 'queued' and ${OPEN}
   order by tenant_id, subscription_id
   limit ${COUNTED_MAX}`;

// Each order is that of the index with the same condition. Paused deliveries belong to subscriptions that are not active or are
// being resumed.
const COUNT_OPEN = `
  with queued as (${QUEUED})
  select ${countOf(`select from deliveries where queue_state = 'waiting' and ${OPEN}
           order by tenant_id, subscription_id, ${IN_TURN}`)} as waiting,
         ${countOf(`select from deliveries where queue_state = 'waiting' and locked_until is not null and locked_until > now()
           order by tenant_id, subscription_id, locked_until`)} as leased,
         (select count(*) filter (where not is_claimed) from queued)::float as queued,
         (select count(*) filter (where is_claimed) from queued)::float as claimed,
         ${countOf(`select from deliveries where queue_state = 'delayed' and ${OPEN} order by next_attempt_at`)} as delayed,
         ${countOf(`select from subscriptions
            cross join lateral (
              select from deliveries
               where deliveries.tenant_id = subscriptions.tenant_id and subscription_id = subscriptions.id and status = 'paused'
               order by created_at desc, deliveries.id desc
               limit ${COUNTED_MAX}
            ) paused
            where not active or exists (select from reconciliations
                                         where reconciliations.tenant_id = subscriptions.tenant_id
                                           and reconciliations.subscription_id = subscriptions.id)`)} as paused`;

// The first due delivery of each endpoint. One that a pause delayed is due since its creation, which decides its turn
// (`change-deliveries.ts`), but late only since the resume.
const FIND_OLDEST = `
  with recursive ${WAITING_ENDPOINTS}, endpoint_waiting as (
    select greatest(next_attempt_at, resumed_at) as late_since
      from (select * from endpoint limit ${ENDPOINTS_MAX}) as endpoint
     cross join lateral (
       select resumed_at from subscriptions
        where subscriptions.tenant_id = endpoint.tenant_id and subscriptions.id = endpoint.subscription_id
          and active and url is not null and not restrained
        limit 1
     ) subscription
  ), queued_waiting as (
    select greatest(next_attempt_at, resumed_at) as late_since
      from (${QUEUED}) as queued
     cross join lateral (
       select resumed_at from subscriptions
        where subscriptions.tenant_id = queued.tenant_id and subscriptions.id = queued.subscription_id
        limit 1
     ) subscription
     where not is_claimed
  )
  select coalesce(greatest(0, extract(epoch from now() - least(
           (select min(late_since) from endpoint_waiting),
           (select min(late_since) from queued_waiting),
           (select next_attempt_at from deliveries where queue_state = 'delayed' and ${OPEN} order by next_attempt_at limit 1),
           (select next_attempt_at from deliveries where queue_state is null and ${OPEN} order by next_attempt_at limit 1)
         ))), 0)::float as seconds`;

const COUNT_ENDPOINTS = `
  select count(*) filter (where active and consecutive_failures < ${FAILING_AFTER_FAILURES})::float as healthy,
         count(*) filter (where active and down_since is null
                            and consecutive_failures >= ${FAILING_AFTER_FAILURES})::float as failing,
         count(*) filter (where active and down_since is not null)::float as down,
         (select coalesce(json_object_agg(kind, count), '{}') from (
           select kind, count(*) from notices where closed_at is null group by kind) counted) as notices,
         count(*) filter (where not active)::float as paused,
         (select count(*) from (select from dead_letters order by failed_at limit ${COUNTED_MAX}) as counted)::float as dead
    from subscriptions
   where url is not null and tenant_id <> '${CANARY_TENANT_ID}'`;

/** For the test of their plans. */
export const statements = [COUNT_OPEN, FIND_OLDEST];
