// Claims deliveries of endpoints that have limits, are held or are down (interface §17). The subscription's row is locked meanwhile, so
// that the limits apply to all replicas together.
import { inTransaction, namedStatement, rowsAs, toStatement } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Pool } from "pg";
import type { StartedDelivery } from "../attempt/claimed-delivery.ts";
import type { Reservation, Rest, Scheduler } from "../scheduler/scheduler.ts";
import {
  CLAIM_PARAMETERS,
  type Claim,
  type ClaimedRow,
  claimed,
  startClaimed,
  wantedColumns,
} from "./claim-waiting.ts";

interface Room {
  readonly subscriptionId: string;
  readonly allowed: number;
  /** Null if the endpoint is not held. */
  readonly heldMs: number | null;
  /** Null if its pace allows a further attempt. */
  readonly paceMs: number | null;
}

// An attempt in another process may end earlier, but this process is not notified.
const IN_FLIGHT_REST_MS = 1_000;
// Rows are usually locked for a moment. If a lock lasts longer, only that endpoint waits, not the others of the claim.
const LOCK_WAIT_MS = 100;
const LOCKED_REST_MS = 1_000;

export async function claimRestrained(
  pool: Pool,
  scheduler: Scheduler,
  reserved: readonly Reservation[],
  lockMs: number,
): Promise<StartedDelivery[]> {
  let found: Found;
  try {
    found = await claimWithin(pool, reserved, lockMs, LOCK_WAIT_MS).catch(async (error: unknown) => {
      if (!isLockTimeout(error)) throw error;
      return await claimWithin(pool, reserved, lockMs, null);
    });
  } catch (error) {
    for (const reservation of reserved) scheduler.cancel(reservation);
    throw error;
  }
  return await startClaimed(pool, scheduler, reserved, found.claimed, restsOf(reserved, found));
}

interface Found {
  readonly claimed: readonly ClaimedRow[];
  readonly rooms: readonly Room[];
  readonly lockedElsewhere: ReadonlySet<string>;
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
    const { rows } = await client.query<Room>(findRoom(reserved));
    const rooms = rows.filter(({ subscriptionId }) => mine.has(subscriptionId));
    const lockedElsewhere = new Set(
      rows.map(({ subscriptionId }) => subscriptionId).filter((id) => !mine.has(id)),
    );
    const allowed = new Map(rooms.map((room) => [room.subscriptionId, room.allowed]));
    const toClaim = reserved.map((reservation) => ({
      ...reservation,
      count: allowed.get(reservation.endpoint.subscriptionId) ?? 0,
    }));
    if (toClaim.every(({ count }) => count === 0)) return { claimed: [], rooms, lockedElsewhere };
    const found = await client.query<ClaimedRow>(claimAndPay({ reserved: toClaim, lockMs }));
    return { claimed: found.rows, rooms, lockedElsewhere };
  });
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "55P03";
}

/** Endpoints rest whose restraint, not a lack of deliveries, allowed fewer than were reserved. */
function restsOf(
  reserved: readonly Reservation[],
  { claimed, rooms, lockedElsewhere }: Found,
): ReadonlyMap<string, Rest> {
  const found = Map.groupBy(claimed, ({ subscriptionId }) => subscriptionId);
  const wanted = new Map(reserved.map(({ endpoint, count }) => [endpoint.subscriptionId, count]));
  const ofRooms = rooms.flatMap((room) => {
    const count = found.get(room.subscriptionId)?.length ?? 0;
    if (count < room.allowed || room.allowed >= (wanted.get(room.subscriptionId) ?? 0)) return [];
    return [[room.subscriptionId, restOf(room)] as const];
  });
  const locked = [...lockedElsewhere].map((id) => [id, { because: "pace", ms: LOCKED_REST_MS }] as const);
  return new Map<string, Rest>([...ofRooms, ...locked]);
}

function restOf({ heldMs, paceMs }: Room): Rest {
  if (heldMs !== null) return { because: "held", ms: heldMs };
  if (paceMs !== null) return { because: "pace", ms: paceMs };
  return { because: "in flight", ms: IN_FLIGHT_REST_MS };
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

// At most the attempts of a fifth of a second start at once: after a delay, those of two seconds could start in one.
const BURST_SECONDS = 0.2;

// A separate statement, so that it sees the deliveries that others claimed before the lock.
const findRoom = (reserved: readonly Reservation[]) =>
  toStatement(sql`
  with clock as materialized (select clock_timestamp() as at), endpoint as (
    select subscriptions.id, wanted.count, max_per_second as rate, clock.at, held_until,
           case when down_since is not null then 1 else coalesce(max_in_flight, wanted.count + 100) end as in_flight_max,
           greatest(paced_until, clock.at) as paid_until,
           greatest(1.0 / max_per_second, ${sql.lit(BURST_SECONDS)}) as burst,
           (select count(*)::integer from deliveries
             where deliveries.tenant_id = subscriptions.tenant_id and deliveries.subscription_id = subscriptions.id
               and queue_state = 'queued' and status in ('pending', 'retrying') and locked_until > clock.at) as in_flight
      from clock
     cross join ${rowsAs("wanted", wantedColumns, reserved)}
     cross join lateral (
       select * from subscriptions
        where subscriptions.tenant_id = wanted.tenant_id and subscriptions.id = wanted.subscription_id and active
          and url is not null
        limit 1
     ) subscriptions
  ), paced as (
    select *, case when rate is null then count
                   else floor((burst - extract(epoch from paid_until - at)) * rate + 0.001)::integer end as pace
      from endpoint
  )
  select id as "subscriptionId",
         case when held_until > at then 0 else greatest(0, least(count, in_flight_max - in_flight, pace)) end as allowed,
         case when held_until > at then extract(epoch from held_until - at)::float * 1000 end as "heldMs",
         case when pace < least(count, in_flight_max - in_flight)
              then greatest(1, (extract(epoch from paid_until - at)::float + (greatest(pace, 0) + 1.0) / rate - burst) * 1000)
          end as "paceMs"
    from paced`);

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
