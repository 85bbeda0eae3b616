// Claims deliveries that wait in Postgres: for each endpoint as many as the scheduler has reserved, in the order of their turns.
import { arrayParametersOf, arraysOf, columnsOf, namedStatement, type RowColumns } from "@tradepost/postgres";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { eventKey } from "../../delivery/delivery.ts";
import { IN_TURN } from "../../statement-parts.ts";
import type { ClaimedDelivery, StartedDelivery } from "../attempt/claimed-delivery.ts";
import type { Reservation, Rest, Scheduler } from "../scheduler/scheduler.ts";
import { orCancel, startReserved } from "../start-reserved.ts";

export type ClaimedRow = Omit<ClaimedDelivery, keyof EventOfDelivery>;

type EventOfDelivery = Pick<
  ClaimedDelivery,
  "occurredAt" | "requestId" | "traceparent" | "data" | "resourceId" | "resourceVersion"
>;

export interface Claim {
  readonly reserved: readonly Reservation[];
  readonly lockMs: number;
}

export async function claimWaiting(
  pool: Pool,
  scheduler: Scheduler,
  reserved: readonly Reservation[],
  lockMs: number,
): Promise<StartedDelivery[]> {
  const claim = pool.query<ClaimedRow>(claimUnrestrained({ reserved, lockMs }));
  const { rows } = await orCancel(scheduler, reserved, claim);
  if (rows.length > 0) failPoint("claim.locked");
  return await startClaimed(pool, scheduler, reserved, rows);
}

/** Oldest first. If the events cannot be read, the reservations are cancelled and the claims expire. */
export async function startClaimed(
  pool: Pool,
  scheduler: Pick<Scheduler, "start" | "cancel">,
  reserved: readonly Reservation[],
  rows: readonly ClaimedRow[],
  rests?: ReadonlyMap<string, Rest>,
): Promise<StartedDelivery[]> {
  const claimed = await orCancel(scheduler, reserved, withEvents(pool, rows));
  return startReserved(scheduler, reserved, claimed, rests);
}

async function withEvents(pool: Pool, rows: readonly ClaimedRow[]): Promise<ClaimedDelivery[]> {
  if (rows.length === 0) return [];
  const { rows: events } = await pool.query<
    Omit<EventOfDelivery, "occurredAt"> & { tenantId: string; id: string; occurredAt: Date }
  >(findEvents(rows));
  const byKey = new Map(events.map((event) => [eventKey(event.tenantId, event.id), event]));
  // The order of the ids is that of their time.
  return rows
    .toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1))
    .flatMap((row) => {
      const event = byKey.get(eventKey(row.tenantId, row.eventId));
      // Cannot be undefined while the retention keeps the events of open deliveries; `ops verify` reports such a delivery.
      if (event === undefined) return [];
      const { tenantId: _, id: __, occurredAt, ...rest } = event;
      return [{ ...row, ...rest, occurredAt: occurredAt.toISOString() }];
    });
}

export const wantedColumns: RowColumns<Reservation> = {
  tenant_id: ["uuid", ({ endpoint }) => endpoint.tenantId],
  subscription_id: ["uuid", ({ endpoint }) => endpoint.subscriptionId],
  count: ["integer", ({ count }) => count],
};

export const CLAIM_PARAMETERS = {
  wanted: arraysOf(wantedColumns, ({ reserved }: Claim) => reserved),
  claim: { lock_ms: ({ lockMs }: Claim) => lockMs },
};

/**
 * Common table expressions. While a resumed subscription is being reconciled, deliveries younger than the reconciliation's progress
 * wait, so that older ones go first. Skips rows that another process claims, and a delivery that was paused and resumed during an
 * attempt that has not ended. With `isRestrained`, the caller has locked the subscriptions.
 */
export function claimed({ isRestrained }: { isRestrained: boolean }): string {
  const isRecordedHealthy = isRestrained
    ? "false"
    : "coalesce(consecutive_failures = 0 and last_success_at > now() - interval '10 seconds', false)";
  return `
  wanted as (
    select * from unnest(${arrayParametersOf("wanted", wantedColumns)}) as wanted (${columnsOf(wantedColumns)})
  ), following as (
    select waiting.tid, version, url, secret_sealed, headers_sealed,
           case when previous_secret_until > now() then previous_secret_sealed end as previous_secret_sealed,
           ${isRecordedHealthy} as is_recorded_healthy, resumed_at, last_failure_at
      from wanted
     cross join lateral (
       select subscriptions.*, least(now(), after_created_at) as due_until
         from subscriptions
         left join reconciliations on reconciliations.tenant_id = subscriptions.tenant_id
                                  and reconciliations.subscription_id = subscriptions.id
        where subscriptions.tenant_id = wanted.tenant_id and subscriptions.id = wanted.subscription_id
              ${isRestrained ? "" : "and active and url is not null and not restrained"}
        limit 1
     ) subscription
     cross join lateral (
       select ctid as tid from deliveries
        where deliveries.tenant_id = wanted.tenant_id and deliveries.subscription_id = wanted.subscription_id
          and queue_state = 'waiting' and status in ('pending', 'retrying') and next_attempt_at <= due_until
          and (locked_until is null or locked_until < now())
        order by ${IN_TURN}
        limit wanted.count
          for no key update skip locked
     ) waiting
  ), claimed as (
    update deliveries
       set queue_state = 'queued', enqueued_at = now(), locked_until = now() + $claim.lock_ms * interval '1 ms'
      from following
     where deliveries.ctid = following.tid
    returning ${CLAIMED_COLUMNS}
  )`;
}

// The columns that a claim returns, from `deliveries` and from the subscription in `following`.
const CLAIMED_COLUMNS = `deliveries.tenant_id as "tenantId", deliveries.id as "deliveryId", deliveries.generation,
              deliveries.attempt_count + 1 as attempt, deliveries.subscription_id as "subscriptionId",
              deliveries.event_id as "eventId", deliveries.type, version as "subscriptionVersion", url, secret_sealed as "secretSealed",
              previous_secret_sealed as "previousSecretSealed", headers_sealed as "headersSealed",
              is_recorded_healthy as "isRecordedHealthy", deliveries.replay_id as "replayId",
              extract(epoch from now() - deliveries.created_at)::float * 1000 as "waitedMs",
              case when deliveries.created_at < resumed_at then 'tenant'
                   when deliveries.created_at < last_failure_at then 'endpoint' else 'no' end as "heldBy"`;

const claimUnrestrained = namedStatement<Claim>(
  `with ${claimed({ isRestrained: false })} select * from claimed`,
  CLAIM_PARAMETERS,
);

// With the ids as values, the planner reads only the partitions of their days.
const findEvents = namedStatement<readonly ClaimedRow[]>(
  `
  select tenant_id as "tenantId", id, occurred_at as "occurredAt", request_id as "requestId", traceparent, data::text as data,
         resource_id as "resourceId", resource_version as "resourceVersion"
    from events
   where tenant_id = any($event.tenant_ids::uuid[]) and id = any($event.ids::uuid[])`,
  {
    event: {
      tenant_ids: (rows) => [...new Set(rows.map(({ tenantId }) => tenantId))],
      ids: (rows) => [...new Set(rows.map(({ eventId }) => eventId))],
    },
  },
);
