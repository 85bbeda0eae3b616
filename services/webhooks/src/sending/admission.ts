// Admits new deliveries: decides which are attempted at once. The caller inserts them as decided, then starts or cancels
// the admission.
import { sleep } from "@tradepost/runtime";
import type { claims } from "../delivery/delivery.ts";
import type { StartedDelivery } from "./attempt/started-delivery.ts";
import type { EndpointState } from "./scheduler/endpoint-record.ts";
import type { Reservation, Scheduler } from "./scheduler/scheduler.ts";
import { startReserved } from "./start-reserved.ts";

interface Planned {
  /** The same object for all deliveries of a subscription. */
  readonly subscription: EndpointState & {
    readonly active: boolean;
    /** Null for a listener, whose deliveries wait until they are leased. */
    readonly url: string | null;
    readonly hasWaiting: boolean;
  };
}

type Decided<Delivery> = Delivery & {
  /** `claimed`: this process attempts it after the commit. */
  readonly state: "claimed" | "waiting" | "paused";
};

// While all slots for proven endpoints are taken, new deliveries wait up to this long for one: inserting a delivery as claimed is
// cheaper than inserting it as waiting and claiming it later.
const PACE_MAX_MS = 25;
const PACE_CHECK_MS = 2;

/** Deliveries with the decision about each. Start or cancel it once. */
interface Admission<Delivery> {
  readonly deliveries: readonly Decided<Delivery>[];
  /** Call it after the commit, with the deliveries that were inserted. */
  start(inserted: readonly Decided<Delivery>[], claimedOf: (one: Delivery) => claims.ClaimedDelivery): void;
  cancel(): void;
}

export function createAdmissions(options: {
  scheduler: Pick<Scheduler, "reserve" | "start" | "cancel" | "addWaiting" | "freeProven">;
  start: (started: readonly StartedDelivery[]) => void;
  onWaiting: () => void;
}) {
  const { scheduler, start, onWaiting } = options;

  /** An endpoint's deliveries start in the order of `planned`. */
  function admit<Delivery extends Planned>(planned: readonly Delivery[]): Admission<Delivery> {
    const reserved = new Map<Planned["subscription"], Reservation>();
    for (const [subscription, { length }] of Map.groupBy(planned, ({ subscription }) => subscription)) {
      const { active, url, hasWaiting } = subscription;
      const mayStart = active && url !== null && !hasWaiting;
      const reservation = mayStart ? scheduler.reserve(subscription, length) : null;
      if (reservation !== null) reserved.set(subscription, reservation);
    }
    return {
      deliveries: decided(planned, reserved),
      start: (inserted, claimedOf) => {
        const claimed = inserted.filter(({ state }) => state === "claimed").map(claimedOf);
        start(startReserved(scheduler, [...reserved.values()], claimed));
        const left = inserted.filter(({ state, subscription }) => state === "waiting" && subscription.url);
        for (const endpoint of new Set(left.map(({ subscription }) => subscription)))
          scheduler.addWaiting(endpoint);
        if (left.length > 0) onWaiting();
      },
      cancel: () => {
        for (const reservation of reserved.values()) scheduler.cancel(reservation);
      },
    };
  }

  async function untilFree(): Promise<void> {
    const deadline = performance.now() + PACE_MAX_MS;
    while (scheduler.freeProven === 0 && performance.now() < deadline) await sleep(PACE_CHECK_MS);
  }

  return { untilFree, admit };
}

function decided<Delivery extends Planned>(
  planned: readonly Delivery[],
  reserved: ReadonlyMap<Planned["subscription"], Reservation>,
): Decided<Delivery>[] {
  const left = new Map([...reserved].map(([subscription, { count }]) => [subscription, count]));
  return planned.map((one) => {
    const { subscription } = one;
    if (!subscription.active) return { ...one, state: "paused" };
    const count = left.get(subscription) ?? 0;
    left.set(subscription, count - 1);
    return { ...one, state: count > 0 ? "claimed" : "waiting" };
  });
}
