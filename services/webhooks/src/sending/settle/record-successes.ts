// Records successful attempts at healthy endpoints and claims the deliveries that may start next, in one round trip. It locks a
// subscription, for which fan-out waits, only every 10 seconds, to note its latest success.
import {
  arrayParametersOf,
  arraysOf,
  columnsOf,
  namedStatement,
  queryTogether,
  type RowColumns,
} from "@tradepost/postgres";
import type { Pool } from "pg";
import { attempts, type claims } from "../../delivery/delivery.ts";
import { SUCCESS_NOTED_EVERY } from "../../statement-parts.ts";
import { storeStandings } from "../../subscriptions/subscriptions.ts";
import type { EndpointState } from "../scheduler/endpoint-record.ts";
import type { Reservation } from "../scheduler/scheduler.ts";

interface MadeAtHealthy extends attempts.Made {
  readonly delivery: claims.ClaimedDelivery;
}

export interface Successes<Made extends MadeAtHealthy> {
  readonly made: readonly Made[];
  readonly standings: readonly EndpointState[];
  readonly reserved: readonly Reservation[];
}

type RecordedRow = claims.ClaimedRow & { readonly delivered: string[] };

/** Sends all statements in one packet, as one transaction. */
export async function recordSuccesses<Made extends MadeAtHealthy>(
  pool: Pool,
  bodies: attempts.ResponseBodies,
  { made, standings, reserved }: Successes<Made>,
  lockMs: number,
) {
  const missing = bodies.missing(made);
  const due = made.filter(({ delivery }) => delivery.isSuccessDue);
  const statements = [
    ...(due.length > 0 ? [noteSuccesses(due)] : []),
    reserved.length === 0
      ? attempts.closeDelivered({ made })
      : attempts.closeDeliveredAndClaim({ made, reserved, lockMs }),
    ...(missing.length > 0 ? [bodies.insert(missing)] : []),
    ...(standings.length > 0 ? [storeStandings(standings)] : []),
  ];
  const results = await queryTogether(pool, statements);
  bodies.remember(missing);
  const [noted, closed] = due.length > 0 ? results : [undefined, results[0]];
  const rows = (closed?.rows ?? []) as RecordedRow[];
  const delivered = new Set(rows[0]?.delivered);
  const notNoted = new Set(noted?.rows.map(({ id }) => id as string));
  return {
    /** Attempts whose delivery others have locked or settled, or whose success was not noted. */
    rest: made.filter(
      ({ delivery }) => !delivered.has(delivery.deliveryId) || notNoted.has(delivery.subscriptionId),
    ),
    claimed: rows.filter(({ deliveryId }) => Boolean(deliveryId)),
  };
}

const dueColumns: RowColumns<MadeAtHealthy> = {
  tenant_id: ["uuid", ({ delivery }) => delivery.tenantId],
  id: ["uuid", ({ delivery }) => delivery.subscriptionId],
  at: ["timestamptz", ({ attempt }) => attempt.at],
};

const IS_STALE = `(consecutive_failures > 0 or last_success_at <= due.at - ${SUCCESS_NOTED_EVERY})`;

// Skips locked subscriptions. Returns subscriptions whose success it has not noted: they were locked, or have failures to reset.
const noteSuccesses = namedStatement<readonly MadeAtHealthy[]>(
  `
  with due as (
    select tenant_id, id, max(at) as at
      from unnest(${arrayParametersOf("due", dueColumns)}) as due (${columnsOf(dueColumns)})
     group by tenant_id, id
  ), healthy as materialized (
    select tid, due.at
      from due
     cross join lateral (
       select ctid as tid from subscriptions
        where subscriptions.tenant_id = due.tenant_id and subscriptions.id = due.id
          and ${IS_STALE} and consecutive_failures = 0
        limit 1
          for no key update skip locked
     ) subscription
  ), noted as (
    update subscriptions set last_success_at = healthy.at
      from healthy
     where subscriptions.ctid = healthy.tid
    returning subscriptions.id
  )
  select due.id
    from due
   cross join lateral (
     select from subscriptions
      where subscriptions.tenant_id = due.tenant_id and subscriptions.id = due.id and ${IS_STALE}
      limit 1
   ) stale
   where due.id not in (select id from noted)`,
  { due: arraysOf(dueColumns, (made: readonly MadeAtHealthy[]) => made) },
);
