// Claims deliveries of restrained endpoints: endpoints that have limits, are held or are down (interface §17). The subscription's
// row is locked while attempts in flight are counted and deliveries are claimed, so that the limits apply to all replicas
// together.
import { inTransaction } from "@tradepost/postgres";
import type { Pool } from "pg";
import { IN_TURN } from "../../delivery/delivery.ts";
import type { StartedDelivery } from "../attempt/claimed-delivery.ts";
import type { Reservation, Rest, Scheduler } from "../scheduler/scheduler.ts";
import { CLAIMED_COLUMNS, type ClaimedRow, claimValues, startClaimed } from "./claim-waiting.ts";

interface Room {
  readonly subscriptionId: string;
  readonly allowed: number;
  /** How long the endpoint is held, in ms; null if it is not. */
  readonly heldMs: number | null;
  /** How long its pace allows no further attempt, in ms; null if it allows one. */
  readonly paceMs: number | null;
}

// An attempt in another process may end earlier, but this process is not notified.
const IN_FLIGHT_REST_MS = 1_000;
// A transaction that changes a subscription or settles its attempts locks its row for a moment. If a lock lasts longer, only that
// endpoint waits, not the others of the claim.
const LOCK_WAIT_MS = 100;
const LOCKED_REST_MS = 1_000;

/** Like `claimWaiting`, for restrained endpoints. */
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
  /** The ids of subscriptions whose rows others had locked. */
  readonly lockedElsewhere: ReadonlySet<string>;
}

/** Claims deliveries. Waits at most `waitMs` for locks; if that is null, skips rows that others have locked. */
async function claimWithin(
  pool: Pool,
  reserved: readonly Reservation[],
  lockMs: number,
  waitMs: number | null,
): Promise<Found> {
  return await inTransaction(pool, async (client) => {
    const [tenantIds, ids, counts] = claimValues(reserved, lockMs);
    if (waitMs !== null) await client.query(`set local lock_timeout = ${waitMs}`);
    const { rows: locked } = await client.query<{ id: string }>(
      waitMs === null ? `${LOCK_SUBSCRIPTIONS} skip locked${END_LOCK}` : LOCK_SUBSCRIPTIONS + END_LOCK,
      [tenantIds, ids],
    );
    const mine = new Set(locked.map(({ id }) => id));
    const { rows } = await client.query<Room>(FIND_ROOM, [tenantIds, ids, counts]);
    const rooms = rows.filter(({ subscriptionId }) => mine.has(subscriptionId));
    const lockedElsewhere = new Set(
      rows.map(({ subscriptionId }) => subscriptionId).filter((id) => !mine.has(id)),
    );
    const allowed = new Map(rooms.map((room) => [room.subscriptionId, room.allowed]));
    const toClaim = reserved.map(({ endpoint }) => allowed.get(endpoint.subscriptionId) ?? 0);
    if (toClaim.every((count) => count === 0)) return { claimed: [], rooms, lockedElsewhere };
    const { rows: claimed } = await client.query<ClaimedRow>(CLAIM, [tenantIds, ids, toClaim, lockMs]);
    return { claimed, rooms, lockedElsewhere };
  });
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "55P03";
}

/** Returns which endpoints rest: those whose restraint, not a lack of deliveries, allowed fewer than were reserved. */
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
const LOCK_SUBSCRIPTIONS = `
  select subscription.id
    from (select * from unnest($1::uuid[], $2::uuid[]) as wanted (tenant_id, id) order by tenant_id, id) as wanted
   cross join lateral (
     select id from subscriptions where subscriptions.tenant_id = wanted.tenant_id and subscriptions.id = wanted.id
      limit 1
        for no key update`;
const END_LOCK = ") subscription";

/**
 * At most the attempts of a fifth of a second may start at once. Otherwise, after a delay, the attempts of two seconds could
 * start in one.
 */
const BURST_SECONDS = 0.2;

// A separate statement, so that it sees the deliveries that others claimed before the lock.
const FIND_ROOM = `
  with clock as materialized (select clock_timestamp() as at), endpoint as (
    select subscriptions.id, wanted.count, max_per_second as rate, clock.at, held_until,
           case when down_since is not null then 1 else coalesce(max_in_flight, wanted.count + 100) end as in_flight_max,
           greatest(paced_until, clock.at) as paid_until,
           greatest(1.0 / max_per_second, ${BURST_SECONDS}) as burst,
           (select count(*)::integer from deliveries
             where deliveries.tenant_id = subscriptions.tenant_id and deliveries.subscription_id = subscriptions.id
               and queue_state = 'queued' and status in ('pending', 'retrying') and locked_until > clock.at) as in_flight
      from clock
     cross join unnest($1::uuid[], $2::uuid[], $3::integer[]) as wanted (tenant_id, subscription_id, count)
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
    from paced`;

// Like the claim in `claim-waiting.ts`, but also advances `paced_until` by the attempts, and removes a hold that has ended.
const CLAIM = `
  with wanted as (
    select * from unnest($1::uuid[], $2::uuid[], $3::integer[]) as wanted (tenant_id, subscription_id, count)
  ), following as (
    select waiting.tid, version, url, secret_sealed, headers_sealed,
           case when previous_secret_until > now() then previous_secret_sealed end as previous_secret_sealed,
           false as is_recorded_healthy, resumed_at, last_failure_at
      from wanted
     cross join lateral (
       select subscriptions.*, least(now(), after_created_at) as due_until
         from subscriptions
         left join reconciliations on reconciliations.tenant_id = subscriptions.tenant_id
                                  and reconciliations.subscription_id = subscriptions.id
        where subscriptions.tenant_id = wanted.tenant_id and subscriptions.id = wanted.subscription_id
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
       set queue_state = 'queued', enqueued_at = now(), locked_until = now() + $4 * interval '1 ms'
      from following
     where deliveries.ctid = following.tid
    returning ${CLAIMED_COLUMNS}
  ), paid as (
    update subscriptions
       set held_until = null,
           paced_until = greatest(paced_until, clock_timestamp()) + made.count * interval '1 second' / max_per_second
      from (select "tenantId", "subscriptionId", count(*) as count from claimed group by 1, 2) made
     where subscriptions.tenant_id = made."tenantId" and subscriptions.id = made."subscriptionId"
  )
  select * from claimed`;
