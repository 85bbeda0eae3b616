import { isOfOrders } from "@tradepost/event-catalog/order-events";
import { arrayParametersOf, arraysOf, columnsOf, namedStatement, type RowColumns } from "@tradepost/postgres";
import type { Outcome } from "../delivery-status.ts";
import { isNotDeleted } from "../statement-parts.ts";
import type { Phases } from "../tables.ts";
import { type AttemptedDelivery, CLAIM_PARAMETERS, type Claim, claimed } from "./claimed.ts";
import { digestOf } from "./response-bodies.ts";

export { createResponseBodies, type ResponseBodies } from "./response-bodies.ts";

export interface Attempt {
  readonly at: Date;
  readonly durationMs: number;
  readonly outcome: Outcome;
  readonly statusCode: number | null;
  readonly responseBody: string | null;
  readonly holdMs: number | null;
  /** The receiver's IP address; null if none was tried, or it was refused. A listener's attempts have none of these three fields. */
  readonly address?: string | null;
  readonly isReused?: boolean;
  /** Null for a success over an open connection. */
  readonly phases?: Phases | null;
}

export interface Made {
  readonly delivery: AttemptedDelivery;
  readonly attempt: Attempt;
}

const attemptColumns: RowColumns<Made> = {
  tenant_id: ["uuid", ({ delivery }) => delivery.tenantId],
  delivery_id: ["uuid", ({ delivery }) => delivery.deliveryId],
  generation: ["integer", ({ delivery }) => delivery.generation],
  attempt: ["smallint", ({ delivery }) => delivery.attempt],
  at: ["timestamptz", ({ attempt }) => attempt.at],
  duration_ms: ["integer", ({ attempt }) => attempt.durationMs],
  outcome: ["text", ({ attempt }) => attempt.outcome],
  status_code: ["smallint", ({ attempt }) => attempt.statusCode],
  response_digest: ["bytea", ({ attempt }) => digestOf(attempt)],
  subscription_version: ["integer", ({ delivery }) => delivery.subscriptionVersion],
  subscription_id: ["uuid", ({ delivery }) => delivery.subscriptionId],
  address: ["text", ({ attempt }) => attempt.address ?? null],
  is_reused: ["boolean", ({ attempt }) => attempt.isReused ?? null],
  phases: ["json", ({ attempt: { phases } }) => (phases ? JSON.stringify(phases) : null)],
  is_thin: ["boolean", ({ delivery }) => delivery.isThin || null],
  is_of_order: ["boolean", ({ delivery }) => isOfOrders(delivery.type) || null],
};

const madeParameters = {
  made: arraysOf<{ readonly made: readonly Made[] }, Made>(attemptColumns, ({ made }) => made),
};

const MADE_ATTEMPTS = `
  made as materialized (
    select * from unnest(${arrayParametersOf("made", attemptColumns)}) as made (${columnsOf(attemptColumns)})
  )`;

const INSERT_MADE_ATTEMPTS = `
  insert into attempts (${columnsOf(attemptColumns)})
  select ${columnsOf(attemptColumns)}
    from made
   where ${isNotDeleted("made.tenant_id")}`;

/** Logs every attempt, even if another process has settled its delivery. Skips deleted tenants. */
export const log = namedStatement(
  `with ${MADE_ATTEMPTS} ${INSERT_MADE_ATTEMPTS} on conflict do nothing`,
  madeParameters,
);

// A success counts whatever the status of the open delivery. Skips a delivery that another transaction has locked: waiting for it while
// holding the locks of claimed deliveries could deadlock. Finds rows by their key, then by their place in the table: the planner has
// no other way, even while the table is small.
const CLOSE = `
  with ${MADE_ATTEMPTS}, target as materialized (
    select tid, made.attempt
      from made
     cross join lateral (
       select ctid as tid from deliveries
        where deliveries.tenant_id = made.tenant_id and deliveries.id = made.delivery_id
          and deliveries.generation = made.generation and deliveries.attempt_count = made.attempt - 1
        limit 1
          for update skip locked
     ) delivery
  ), closed as (
    delete from deliveries
     using target
     where deliveries.ctid = target.tid
    returning deliveries.tenant_id, deliveries.id, subscription_id, event_id, type, target.attempt, deliveries.generation,
              created_at, replay_id
  ), logged as (
    insert into delivery_log (tenant_id, id, subscription_id, event_id, type, status, attempt_count, generation,
                              created_at, completed_at, replay_id)
    select tenant_id, id, subscription_id, event_id, type, 'delivered', attempt, generation, created_at, now(), replay_id
      from closed
  ), attempted as (${INSERT_MADE_ATTEMPTS} and (delivery_id in (select id from closed)) is true)`;

const DELIVERED = "(select coalesce(array_agg(id), '{}') from closed) as delivered";

/** Moves delivered deliveries to the log and logs their attempts, except those that it skips. */
export const closeDelivered = namedStatement<{ made: readonly Made[] }>(
  `${CLOSE} select ${DELIVERED}`,
  madeParameters,
);

export const closeDeliveredAndClaim = namedStatement<{ made: readonly Made[] } & Claim>(
  `
  ${CLOSE}, ${claimed({ isRestrained: false })}
  select ${DELIVERED}, claimed.* from (select) as always left join claimed on true`,
  { ...madeParameters, ...CLAIM_PARAMETERS },
);
