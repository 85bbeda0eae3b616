// Turns events into one delivery for each matching subscription, and starts those that may start at once. After a crash at any point
// the messages are redelivered; repeating the work changes nothing.
import { batch } from "@tradepost/runtime";
import { failPoint } from "@tradepost/runtime/fail-point";
import type { Pool } from "pg";
import { ids, resources } from "../delivery/delivery.ts";
import type { Sending } from "../sending/sending.ts";
import { insertDeliveries } from "./insert-deliveries.ts";
import { createKnownMatches, type KnownMatches } from "./known-matches.ts";
import type { PlannedDelivery } from "./match-subscriptions.ts";
import { occurredAtOf, type ReceivedEvent } from "./received-event.ts";

export type FanOut = (event: ReceivedEvent) => Promise<number>;

const BATCH_EVENTS_MAX = 100;
// If a batch waits longer for a locked subscription, the next batch starts without waiting for it.
const MAX_WAIT_MS = 50;

interface Options {
  pool: Pool;
  sending: Pick<Sending, "untilFree" | "admit" | "lockMs">;
  /** Runs when there are deliveries for these listeners to lease. */
  onLeasable: (listenerIds: readonly string[]) => void;
}

export function createFanOut(options: Options): FanOut {
  const knownMatches = createKnownMatches();
  return batch({
    itemsMax: BATCH_EVENTS_MAX,
    maxWaitMs: MAX_WAIT_MS,
    lingers: true,
    work: (events) => fanOut(events, knownMatches, options),
  });
}

/** Skips events that exist already: if the process of their deliveries has died, the sweep finds them. */
async function fanOut(
  events: readonly ReceivedEvent[],
  knownMatches: KnownMatches,
  { pool, sending, onLeasable }: Options,
): Promise<number[]> {
  await sending.untilFree();
  const distinct = [...new Map(events.map((event) => [keyOf(event), event])).values()];
  const data = new Map(distinct.map((event) => [event, JSON.stringify(event.data)]));
  const { admission, newEvents, successDue } = await insertDeliveries(distinct, data, {
    pool,
    sending,
    knownMatches,
  });
  failPoint("fan-out.committed");
  const newKeys = new Set(newEvents.map(({ tenantId, id }) => ids.eventKey(tenantId, id)));
  const inserted = admission.deliveries.filter(({ event }) => newKeys.has(keyOf(event)));
  admission.start(inserted, (one) => ({
    ...claimedDelivery(one, data.get(one.event) ?? "null"),
    isSuccessDue: successDue.has(one.subscription.subscriptionId),
  }));
  const leasable = inserted.filter(
    ({ state, subscription }) => state === "waiting" && subscription.url === null,
  );
  const listenerIds = new Set(leasable.map(({ subscription }) => subscription.subscriptionId));
  if (listenerIds.size > 0) onLeasable([...listenerIds]);
  const byKey = Map.groupBy(inserted, ({ event }) => keyOf(event));
  return events.map((event) => byKey.get(keyOf(event))?.length ?? 0);
}

function keyOf(event: ReceivedEvent): string {
  return ids.eventKey(event.tenant_id, event.id);
}

function claimedDelivery({ id, event, subscription }: PlannedDelivery, data: string) {
  if (subscription.url === null) throw new Error("a delivery of a listener was claimed");
  const resource = resources.resourceOf(event.data);
  return {
    tenantId: event.tenant_id,
    deliveryId: id,
    generation: 1,
    attempt: 1,
    subscriptionId: subscription.subscriptionId,
    eventId: event.id,
    occurredAt: occurredAtOf(event),
    requestId: event.request_id,
    traceparent: event.traceparent,
    type: event.type,
    subscriptionVersion: subscription.version,
    url: subscription.url,
    secretSealed: subscription.secretSealed,
    previousSecretSealed: subscription.previousSecretSealed,
    headersSealed: subscription.headersSealed,
    data,
    isThin: subscription.payload === "thin",
    resourceId: resource.id,
    resourceVersion: resource.version,
    replayId: null,
    isRecordedHealthy: subscription.isRecordedHealthy,
    waitedMs: 0,
    heldBy: "no" as const,
  };
}
