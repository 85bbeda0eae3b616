// Applies the outcomes of attempts to their deliveries: one that failed waits for its next attempt, one that has ended moves to the
// log, and becomes a dead letter if it failed for good.
import {
  arrayParametersOf,
  arraysOf,
  columnsOf,
  namedStatement,
  queryTogether,
  type RowColumns,
} from "@tradepost/postgres";
import type { PoolClient, QueryResult } from "pg";
import type { DeliveryStatus } from "../delivery-status.ts";
import type { Made as Attempted } from "./attempts.ts";
import { type AttemptTransition, reasonOf, transitionColumns } from "./lifecycle.ts";

export interface MadeAttempt extends Attempted {
  readonly transition: AttemptTransition;
}

export interface SettledDelivery {
  readonly status: DeliveryStatus;
  readonly at: Date;
}

/** Returns deliveries by id. A delivery is missing if another process has settled this attempt. */
export async function applyTransitions(client: PoolClient, made: readonly MadeAttempt[]) {
  const [, open] = await queryTogether(client, [lockDeliveries(made), settleOpen(made)]);
  const settled = settledIn(open);
  const missing = made.filter(({ delivery }) => !settled.has(delivery.deliveryId));
  if (missing.length === 0) return settled;
  return new Map([...settled, ...settledIn(await client.query(settleCancelled(missing)))]);
}

function settledIn(result: QueryResult | undefined): Map<string, SettledDelivery> {
  const rows = (result?.rows ?? []) as (SettledDelivery & { id: string })[];
  return new Map(rows.map((row) => [row.id, row]));
}

type Made = readonly MadeAttempt[];

const keyColumns: RowColumns<MadeAttempt> = {
  tenant_id: ["uuid", ({ delivery }) => delivery.tenantId],
  id: ["uuid", ({ delivery }) => delivery.deliveryId],
};

const madeColumns: RowColumns<MadeAttempt> = {
  ...keyColumns,
  generation: ["integer", ({ delivery }) => delivery.generation],
  attempt: ["integer", ({ delivery }) => delivery.attempt],
  transition: ["text", ({ transition }) => transition.name],
  delay_ms: [
    "double precision",
    ({ transition }) => (transition.name === "attempt failed" ? transition.delayMs : null),
  ],
  reason: ["text", ({ attempt }) => reasonOf(attempt)],
  leased_at: ["timestamptz", ({ delivery }) => delivery.leasedAt ?? null],
};

const TRANSITIONS = transitionColumns("attempt succeeded", "attempt failed", "last attempt failed");
const parameters = {
  made: arraysOf(madeColumns, (made: Made) => made),
  transition: {
    name: () => TRANSITIONS.name,
    before: () => TRANSITIONS.before,
    after: () => TRANSITIONS.after,
  },
};

// A repeated attempt counts once, by its first result.
const MADE = `
  made as (
    select distinct on (tenant_id, id, generation, attempt) *
      from unnest(${arrayParametersOf("made", madeColumns)}) with ordinality as made (${columnsOf(madeColumns)}, position)
     order by tenant_id, id, generation, attempt, position
  ), transition as (
    select * from unnest($transition.name::text[], $transition.before::text[], $transition.after::text[])
                  as transition (name, before, after)
  )`;

// A separate statement, so that the next one sees each row as it is after the lock.
const lockDeliveries = namedStatement<Made>(
  `
  select from (select * from unnest(${arrayParametersOf("made", keyColumns)}) as made (tenant_id, id) order by tenant_id, id) as made
   cross join lateral (
     select from deliveries where deliveries.tenant_id = made.tenant_id and deliveries.id = made.id limit 1 for update
   ) delivery`,
  { made: arraysOf(keyColumns, (made: Made) => made) },
);

// Looks up the transition after the lock, because the delivery may have been paused before it. A delivery that is not reconciled yet
// counts as having the status that the reconciliation will give it. The health update has locked the subscriptions of failed attempts;
// a success counts whatever the status. A leased delivery has no message: it waits in Postgres. Locked rows are found by their place
// in the table, which cannot change meanwhile (`attempts.ts`).
const settleOpen = namedStatement<Made>(
  `
  with ${MADE}, locked as (
    select delivery.*, is_leased, held_until, attempt, transition, delay_ms, reason,
           case when subscription.id is null then 'cancelled'
                when not active then 'paused'
                when status = 'paused' then 'retrying'
                else status end as before
      from made
     cross join lateral (
       select deliveries.*, deliveries.ctid as tid from deliveries
        where deliveries.tenant_id = made.tenant_id and deliveries.id = made.id
          and deliveries.generation = made.generation and deliveries.attempt_count = made.attempt - 1
          and (made.leased_at is null or deliveries.enqueued_at = made.leased_at)
        limit 1
     ) delivery
      left join lateral (
       select id, active, url is null as is_leased, held_until from subscriptions
        where subscriptions.tenant_id = delivery.tenant_id and subscriptions.id = delivery.subscription_id
        limit 1
     ) subscription on true
  ), settled as (
    select locked.*, after
      from locked join transition on transition.name = locked.transition and transition.before = locked.before
  ), still_open as (
    update deliveries
       set status = after,
           attempt_count = attempt,
           locked_until = null,
           queue_state = case when after = 'retrying' then case when is_leased then 'waiting' else 'delayed' end end,
           next_attempt_at = case when after = 'retrying' then greatest(held_until, now() + interval '1 ms' * delay_ms) end,
           enqueued_at = case when after = 'retrying' and not is_leased then now() end
      from settled
     where deliveries.ctid = settled.tid and after in ('retrying', 'paused')
  ), closed as (
    delete from deliveries
     using settled
     where deliveries.ctid = settled.tid
       and after not in ('retrying', 'paused')
  ), logged as (
    insert into delivery_log (tenant_id, id, subscription_id, event_id, type, status, attempt_count, generation,
                              created_at, completed_at, replay_id)
    select tenant_id, id, subscription_id, event_id, type, after, attempt, generation, created_at, now(), replay_id
      from settled
     where after not in ('retrying', 'paused')
  ), dead as (
    insert into dead_letters (tenant_id, delivery_id, subscription_id, event_id, type, attempts, generation,
                              created_at, failed_at, reason)
    select tenant_id, id, subscription_id, event_id, type, attempt, generation, created_at, now(), reason
      from settled
     where after = 'failed'
  )
  select id, after as status, now() as at from settled`,
  parameters,
);

const settleCancelled = namedStatement<Made>(
  `
  with ${MADE}
  update delivery_log
     set status = after, attempt_count = attempt, completed_at = now()
    from made join transition on transition.name = made.transition
   where delivery_log.tenant_id = made.tenant_id and delivery_log.id = made.id
     and delivery_log.generation = made.generation and delivery_log.attempt_count = made.attempt - 1
     and delivery_log.status = 'cancelled' and transition.before = 'cancelled'
  returning delivery_log.id, delivery_log.status, delivery_log.completed_at as at`,
  parameters,
);
