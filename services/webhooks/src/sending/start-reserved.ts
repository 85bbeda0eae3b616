import type { claims } from "../delivery/delivery.ts";
import type { StartedDelivery } from "./attempt/started-delivery.ts";
import type { Reservation, Rest, Scheduler } from "./scheduler/scheduler.ts";

/** `rests` has, by subscription, the endpoints whose limits allowed fewer attempts than were reserved. */
export function startReserved(
  scheduler: Pick<Scheduler, "start">,
  reserved: readonly Reservation[],
  claimed: readonly claims.ClaimedDelivery[],
  rests: ReadonlyMap<string, Rest> = new Map(),
): StartedDelivery[] {
  const byEndpoint = Map.groupBy(claimed, ({ subscriptionId }) => subscriptionId);
  return reserved.flatMap((reservation) => {
    const { subscriptionId } = reservation.endpoint;
    const ofOne = byEndpoint.get(subscriptionId) ?? [];
    const slots = scheduler.start(reservation, ofOne.length, rests.get(subscriptionId));
    return slots.flatMap((slot, index) => {
      const delivery = ofOne[index];
      return delivery === undefined ? [] : [{ delivery, slot }];
    });
  });
}

export async function orCancel<Result>(
  scheduler: Pick<Scheduler, "cancel">,
  reserved: readonly Reservation[],
  claim: Promise<Result>,
): Promise<Result> {
  try {
    return await claim;
  } catch (error) {
    for (const reservation of reserved) scheduler.cancel(reservation);
    throw error;
  }
}
