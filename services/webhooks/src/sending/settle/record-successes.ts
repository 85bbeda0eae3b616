// Records successful attempts at healthy endpoints and claims the deliveries that may start next, in one statement. It takes no
// lock that fan-out waits for, and writes nothing about the endpoint.
import { namedStatement, queryTogether } from "@tradepost/postgres";
import type { Pool } from "pg";
import { storeStandings } from "../../subscriptions/subscriptions.ts";
import type { AttemptedDelivery } from "../attempt/claimed-delivery.ts";
import type { Attempt } from "../attempt/send.ts";
import type { EndpointState } from "../scheduler/endpoint-record.ts";
import type { Reservation } from "../scheduler/scheduler.ts";
import {
  INSERT_MADE_ATTEMPTS,
  insertBodies,
  MADE_ATTEMPTS,
  madeParameters,
  type ResponseBodies,
} from "./attempt-log.ts";
import { CLAIM_PARAMETERS, type Claim, type ClaimedRow, claimed } from "./claim-waiting.ts";

export interface Successes {
  readonly made: readonly { delivery: AttemptedDelivery; attempt: Attempt }[];
  readonly standings: readonly EndpointState[];
  readonly reserved: readonly Reservation[];
}

export interface RecordedSuccesses {
  /** By id. The others were settled or cancelled by another transaction. */
  readonly delivered: ReadonlySet<string>;
  readonly claimed: ClaimedRow[];
}

type RecordedRow = ClaimedRow & { readonly delivered: string[] };

/** In one packet, as one transaction. */
export async function recordSuccesses(
  pool: Pool,
  bodies: ResponseBodies,
  { made, standings, reserved }: Successes,
  lockMs: number,
): Promise<RecordedSuccesses> {
  const missing = bodies.missing(made);
  const [recorded] = await queryTogether(pool, [
    reserved.length === 0 ? record({ made }) : recordAndClaim({ made, reserved, lockMs }),
    ...(missing.length > 0 ? [insertBodies(missing)] : []),
    ...(standings.length > 0 ? [storeStandings(standings)] : []),
  ]);
  bodies.remember(missing);
  const rows = (recorded?.rows ?? []) as RecordedRow[];
  return {
    delivered: new Set(rows[0]?.delivered),
    claimed: rows.filter(({ deliveryId }) => Boolean(deliveryId)),
  };
}

// A success counts whatever the status of an open delivery is. Skips a delivery that another transaction has locked: waiting with the
// locks of claimed ones could deadlock. Rows are found by their key and then by their place in the table; that is the only plan, even
// if the table was small when it was made.
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
  ), attempted as (${INSERT_MADE_ATTEMPTS})`;

const DELIVERED = "(select coalesce(array_agg(id), '{}') from closed) as delivered";

const record = namedStatement<Pick<Successes, "made">>(`${CLOSE} select ${DELIVERED}`, madeParameters);

const recordAndClaim = namedStatement<Pick<Successes, "made"> & Claim>(
  `
  ${CLOSE}, ${claimed({ isRestrained: false })}
  select ${DELIVERED}, claimed.* from (select) as always left join claimed on true`,
  { ...madeParameters, ...CLAIM_PARAMETERS },
);
