// Claims deliveries of endpoints that have limits, are held or are down (interface §17). Locks their subscriptions meanwhile, so
// that the limits apply to all replicas together.
import { inTransaction } from "@tradepost/postgres";
import type { Pool } from "pg";
import { claims } from "../../delivery/delivery.ts";
import type { StartedDelivery } from "../attempt/started-delivery.ts";
import { NO_ROOM_WHILE_LOCKED, roomOf } from "../next-attempt.ts";
import type { Reservation, Rest, Scheduler } from "../scheduler/scheduler.ts";
import { orCancel } from "../start-reserved.ts";
import { startClaimed } from "./claim-waiting.ts";

// If a lock lasts longer, only that endpoint waits.
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

/** If `waitMs` is null, skips rows that others have locked. */
async function claimWithin(
  pool: Pool,
  reserved: readonly Reservation[],
  lockMs: number,
  waitMs: number | null,
) {
  return await inTransaction(pool, async (client) => {
    if (waitMs !== null) await client.query(`set local lock_timeout = ${waitMs}`);
    const mine = await claims.lockSubscriptions(client, reserved, { skipsLocked: waitMs === null });
    const restraints = await claims.findRestraints(client, reserved);
    const rooms = new Map(
      restraints.map((row) => [row.id, mine.has(row.id) ? roomOf(row, row.wanted) : NO_ROOM_WHILE_LOCKED]),
    );
    const toClaim = reserved.map((reservation) => ({
      ...reservation,
      count: rooms.get(reservation.endpoint.subscriptionId)?.allowed ?? 0,
    }));
    const isFull = toClaim.every(({ count }) => count === 0);
    const claimed = isFull ? [] : await claims.claimAndPay(client, { reserved: toClaim, lockMs });
    return { claimed, rooms };
  });
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "55P03";
}

/** An endpoint rests if its restraint allowed fewer attempts than were reserved, and all the allowed ones were claimed. */
function restsOf({ claimed, rooms }: Awaited<ReturnType<typeof claimWithin>>): ReadonlyMap<string, Rest> {
  const found = Map.groupBy(claimed, ({ subscriptionId }) => subscriptionId);
  return new Map(
    [...rooms].flatMap(([id, { allowed, rest }]) =>
      rest === null || (found.get(id)?.length ?? 0) < allowed ? [] : [[id, rest]],
    ),
  );
}
