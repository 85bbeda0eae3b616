// Claims deliveries of endpoints that have limits, are held or are down (interface §17). The subscription's row is locked meanwhile, so
// that the limits apply to all replicas together.
import { inTransaction, namedStatement, rowsAs, toStatement } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Pool } from "pg";
import type { StartedDelivery } from "../attempt/claimed-delivery.ts";
import { NO_ROOM_WHILE_LOCKED, type Restraint, type Room, roomOf } from "../next-attempt.ts";
import type { Reservation, Rest, Scheduler } from "../scheduler/scheduler.ts";
import { orCancel } from "../start-reserved.ts";
import {
  CLAIM_PARAMETERS,
  type Claim,
  type ClaimedRow,
  claimed,
  startClaimed,
  wantedColumns,
} from "./claim-waiting.ts";

// Rows are usually locked for a moment. If a lock lasts longer, only that endpoint waits, not the others of the claim.
const LOCK_WAIT_MS = 100;

export async function claimRestrained(
  pool: Pool,
  scheduler: Scheduler,
  reserved: readonly Reservation[],
  lockMs: number,
): Promise<StartedDelivery[]> {
  const claim = claimWithin(pool, reserved, lockMs, LOCK_WAIT_MS).catch(async (error: unknown) => {
    if (!isLockTimeout(error)) throw error;
    return await claimWithin(pool, reserved, lockMs, null);
  });
  const found = await orCancel(scheduler, reserved, claim);
  return await startClaimed(pool, scheduler, reserved, found.claimed, restsOf(found));
}

interface Found {
  readonly claimed: readonly ClaimedRow[];
  /** By subscription id, of the active ones. */
  readonly rooms: ReadonlyMap<string, Room>;
}

/** If `waitMs` is null, skips rows that others have locked. */
async function claimWithin(
  pool: Pool,
  reserved: readonly Reservation[],
  lockMs: number,
  waitMs: number | null,
): Promise<Found> {
  return await inTransaction(pool, async (client) => {
    if (waitMs !== null) await client.query(`set local lock_timeout = ${waitMs}`);
    const { rows: locked } = await client.query<{ id: string }>(lockSubscriptions(reserved, waitMs === null));
    const mine = new Set(locked.map(({ id }) => id));
    const { rows } = await client.query<Restraint & { id: string; wanted: number }>(findRestraints(reserved));
    const rooms = new Map(
      rows.map((row) => [row.id, mine.has(row.id) ? roomOf(row, row.wanted) : NO_ROOM_WHILE_LOCKED]),
    );
    const toClaim = reserved.map((reservation) => ({
      ...reservation,
      count: rooms.get(reservation.endpoint.subscriptionId)?.allowed ?? 0,
    }));
    if (toClaim.every(({ count }) => count === 0)) return { claimed: [], rooms };
    const found = await client.query<ClaimedRow>(claimAndPay({ reserved: toClaim, lockMs }));
    return { claimed: found.rows, rooms };
  });
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "55P03";
}

/** Endpoints rest whose restraint, not a lack of deliveries, allowed fewer than were reserved. */
function restsOf({ claimed, rooms }: Found): ReadonlyMap<string, Rest> {
  const found = Map.groupBy(claimed, ({ subscriptionId }) => subscriptionId);
  return new Map(
    [...rooms].flatMap(([id, { allowed, rest }]) =>
      rest === null || (found.get(id)?.length ?? 0) < allowed ? [] : [[id, rest]],
    ),
  );
}

// Rows are locked in the order of their ids, as everywhere, and before deliveries.
const lockSubscriptions = (reserved: readonly Reservation[], skipsLocked: boolean) =>
  toStatement(sql`
  select subscription.id
    from (select * from ${rowsAs("wanted", wantedColumns, reserved)} order by tenant_id, subscription_id) as wanted
   cross join lateral (
     select id from subscriptions
      where subscriptions.tenant_id = wanted.tenant_id and subscriptions.id = wanted.subscription_id
      limit 1
        for no key update ${sql.raw(skipsLocked ? "skip locked" : "")}) subscription`);

// A separate statement, so that it sees the deliveries that others claimed before the lock.
const findRestraints = (reserved: readonly Reservation[]) =>
  toStatement(sql`
  with clock as materialized (select clock_timestamp() as at)
  select subscriptions.id, wanted.count as wanted, max_per_second as "perSecondMax",
         case when down_since is null then max_in_flight else 1 end as "inFlightMax",
         case when held_until > clock.at then extract(epoch from held_until - clock.at)::float * 1000 end as "heldMs",
         extract(epoch from greatest(paced_until, clock.at) - clock.at)::float * 1000 as "owedMs",
         (select count(*)::integer from deliveries
           where deliveries.tenant_id = subscriptions.tenant_id and deliveries.subscription_id = subscriptions.id
             and queue_state = 'queued' and status in ('pending', 'retrying') and locked_until > clock.at) as "inFlight"
    from clock
   cross join ${rowsAs("wanted", wantedColumns, reserved)}
   cross join lateral (
     select * from subscriptions
      where subscriptions.tenant_id = wanted.tenant_id and subscriptions.id = wanted.subscription_id and active
        and url is not null
      limit 1
   ) subscriptions`);

// Like the claim in `claim-waiting.ts`, but also advances `paced_until` by the attempts, and removes a hold that has ended.
const claimAndPay = namedStatement<Claim>(
  `
  with ${claimed({ isRestrained: true })}, paid as (
    update subscriptions
       set held_until = null,
           paced_until = greatest(paced_until, clock_timestamp()) + made.count * interval '1 second' / max_per_second
      from (select "tenantId", "subscriptionId", count(*) as count from claimed group by 1, 2) made
     where subscriptions.tenant_id = made."tenantId" and subscriptions.id = made."subscriptionId"
  )
  select * from claimed`,
  CLAIM_PARAMETERS,
);
