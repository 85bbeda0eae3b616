// Claims deliveries that wait in Postgres, for each endpoint as many as the scheduler has reserved.
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { claims } from "../../delivery/delivery.ts";
import type { StartedDelivery } from "../attempt/started-delivery.ts";
import type { Reservation, Rest, Scheduler } from "../scheduler/scheduler.ts";
import { orCancel, startReserved } from "../start-reserved.ts";

export async function claimWaiting(
  pool: Pool,
  scheduler: Scheduler,
  reserved: readonly Reservation[],
  lockMs: number,
): Promise<StartedDelivery[]> {
  const rows = await orCancel(scheduler, reserved, claims.claim(pool, { reserved, lockMs }));
  if (rows.length > 0) failPoint("claim.locked");
  return await startClaimed(pool, scheduler, reserved, rows);
}

/** Starts the oldest first. If the events cannot be read, the claims expire. */
export async function startClaimed(
  pool: Pool,
  scheduler: Pick<Scheduler, "start" | "cancel">,
  reserved: readonly Reservation[],
  rows: readonly claims.ClaimedRow[],
  rests?: ReadonlyMap<string, Rest>,
): Promise<StartedDelivery[]> {
  const claimed = await orCancel(scheduler, reserved, claims.withEvents(pool, rows));
  return startReserved(scheduler, reserved, claimed, rests);
}
