// Records successful attempts at healthy endpoints and claims the deliveries that may start next, in one statement. It takes no
// lock that fan-out waits for, and writes nothing about the endpoint.
import { queryTogether, type Statement } from "@tradepost/postgres";
import type { Pool } from "pg";
import { storeStandings } from "../../subscriptions/subscriptions.ts";
import type { AttemptedDelivery } from "../attempt/claimed-delivery.ts";
import type { Attempt } from "../attempt/send.ts";
import type { EndpointState } from "../scheduler/endpoint-record.ts";
import type { Reservation } from "../scheduler/scheduler.ts";
import {
  INSERT_MADE_ATTEMPTS,
  insertBodies,
  madeAttempts,
  madeValues,
  type ResponseBodies,
} from "./attempt-log.ts";
import { type ClaimedRow, claimedFrom, claimValues } from "./claim-waiting.ts";

export interface Successes {
  readonly made: readonly { delivery: AttemptedDelivery; attempt: Attempt }[];
  /** Changed standings of the endpoints, to store with the attempts. */
  readonly standings: readonly EndpointState[];
  /** Reservations for the attempts that may start next. */
  readonly reserved: readonly Reservation[];
}

export interface RecordedSuccesses {
  /** The ids of the deliveries that are now delivered. The others were settled or cancelled by another transaction. */
  readonly delivered: ReadonlySet<string>;
  readonly claimed: ClaimedRow[];
}

type RecordedRow = ClaimedRow & { readonly delivered: string[] };

/** Sends everything in one packet, as one transaction. */
export async function recordSuccesses(
  pool: Pool,
  bodies: ResponseBodies,
  { made, standings, reserved }: Successes,
  lockMs: number,
): Promise<RecordedSuccesses> {
  const missing = bodies.missing(made);
  const [recorded] = await queryTogether(pool, [
    recordStatement(made, reserved, lockMs),
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

function recordStatement(
  made: Successes["made"],
  reserved: Successes["reserved"],
  lockMs: number,
): Statement {
  return reserved.length === 0
    ? { text: RECORD, values: madeValues(made) }
    : { text: RECORD_AND_CLAIM, values: [...madeValues(made), ...claimValues(reserved, lockMs)] };
}

// A success counts whatever the status of an open delivery is. Skips a delivery that another transaction has locked: this statement
// may have claimed others already, and waiting with their locks could deadlock. Rows are found by their key and then by their place
// in the table; that is the only plan, even if the table was small when it was made.
const CLOSE = `
  with ${madeAttempts(1)}, target as materialized (
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

const RECORD = `${CLOSE} select ${DELIVERED}`;

const RECORD_AND_CLAIM = `
  ${CLOSE}, ${claimedFrom(12)}
  select ${DELIVERED}, claimed.* from (select) as always left join claimed on true`;
