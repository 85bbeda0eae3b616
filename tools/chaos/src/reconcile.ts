// Compares the operations of a run with the commits in the databases, the events on the exchange and the webhooks. Pure.
import type { ObservedEvent, Webhook } from "./observers.ts";
import type { FailedRequest } from "./send-requests.ts";
import type { Operation } from "./traffic.ts";

export interface CommittedEvent {
  readonly eventId: string;
  readonly type: string;
  readonly aggregateId: string;
  readonly occurredAt: Date;
}

export interface ReconciliationInput {
  readonly operations: readonly Operation[];
  readonly failedRequests: readonly FailedRequest[];
  readonly committedOrders: readonly { id: string }[];
  readonly committedEvents: readonly CommittedEvent[];
  /** Includes the events of earlier runs, which are published again if the broker has lost its data. */
  readonly allCommittedEvents: readonly CommittedEvent[];
  readonly observedEvents: readonly Omit<ObservedEvent, "at">[];
  readonly webhooks: readonly Webhook[];
  readonly badSignatures: number;
  readonly repairedAt: number;
  readonly unexpectedExits: number;
}

export type Counts = ReturnType<typeof reconcile>;

export function reconcile(input: ReconciliationInput) {
  const { operations, committedOrders, committedEvents, observedEvents, webhooks } = input;
  const acknowledged = operations.filter(({ acknowledgedAt }) => acknowledgedAt !== null);
  const committed = new Set(committedEvents.map(keyOf));
  const everCommitted = new Set(input.allCommittedEvents.map(keyOf));
  const observed = new Set(observedEvents.map(keyOf));
  const received = new Set(webhooks.filter(({ isAccepted }) => isAccepted).map(keyOf));
  const isDelivered = (event: CommittedEvent) =>
    observed.has(keyOf(event)) && (event.type === "order.placed" || received.has(keyOf(event)));
  const undelivered = committedEvents.filter((event) => !isDelivered(event));
  const uncommitted = acknowledged.filter((operation) => !committed.has(keyOf(operation)));
  const ordersWithoutEvent = committedOrders.filter(({ id }) => !committed.has(`order.placed ${id}`));
  const neverCommitted = [...webhooks, ...observedEvents].filter((one) => !everCommitted.has(keyOf(one)));
  return {
    attempted: operations.length,
    acknowledged: acknowledged.length,
    committed: committedEvents.length,
    /** Events that the exchange's consumer received. */
    published: committedEvents.filter((event) => observed.has(keyOf(event))).length,
    /** Events that the exchange's consumer received and, for redirects, the webhook receiver too. */
    delivered: committedEvents.length - undelivered.length,
    /** Operations that are missing, committed without an event, or committed but not delivered. */
    lost: undelivered.length + uncommitted.length + ordersWithoutEvent.length,
    /** Acknowledged but not committed, for example because the promoted standby did not have the commit. */
    missing: uncommitted.length,
    /** Webhooks that the receiver had accepted before. */
    duplicated: countDuplicates(webhooks),
    /** Events and webhooks that match no commit, and webhooks with a wrong signature. */
    unexpected: neverCommitted.length + input.badSignatures,
    /** Redirects whose deletion was observed before their creation. */
    outOfOrder: countOutOfOrder(observedEvents),
    recoverySeconds: recoverySeconds(input),
    /** By status; 0 if there was no response. */
    failedRequests: countBy(input.failedRequests, statusOf),
    unexpectedExits: input.unexpectedExits,
  };
}

function keyOf({ type, aggregateId }: { type: string; aggregateId: string | null }): string {
  return `${type} ${aggregateId}`;
}

function countDuplicates(webhooks: readonly Webhook[]): number {
  const accepted = webhooks.filter(({ isAccepted }) => isAccepted);
  return accepted.length - new Set(accepted.map(({ deliveryId }) => deliveryId)).size;
}

/** Compares only first arrivals, because an event that arrives again, or that a replay publishes, has no order. */
function countOutOfOrder(events: ReconciliationInput["observedEvents"]): number {
  const firstIndex = new Map<string, number>();
  for (const [index, event] of events.entries())
    if (!event.isReplayed && !firstIndex.has(keyOf(event))) firstIndex.set(keyOf(event), index);
  const replayed = new Set(events.filter(({ isReplayed }) => isReplayed).map(keyOf));
  return [...firstIndex].filter(([key, removedIndex]) => {
    if (!key.startsWith("redirect.removed ")) return false;
    const addedKey = key.replace("removed", "added");
    const addedIndex = firstIndex.get(addedKey);
    // If the broker lost the first publication, only a replay delivers the event.
    if (addedIndex === undefined) return !replayed.has(addedKey);
    return addedIndex > removedIndex;
  }).length;
}

/** From the repair until an operation that began after it was acknowledged and its webhook arrived; null if that never happened. */
function recoverySeconds({ operations, webhooks, repairedAt }: ReconciliationInput): number | null {
  const startedAfterwards = operations.filter(({ startedAt }) => startedAt >= repairedAt);
  const keys = new Set(startedAfterwards.map(keyOf));
  const firstAcknowledgedAt = Math.min(
    ...startedAfterwards.map(({ acknowledgedAt }) => acknowledgedAt ?? Number.POSITIVE_INFINITY),
  );
  const firstWebhookAt = Math.min(
    ...webhooks.filter((webhook) => webhook.isAccepted && keys.has(keyOf(webhook))).map(({ at }) => at),
  );
  const recoveredAt = Math.max(firstAcknowledgedAt, firstWebhookAt);
  return Number.isFinite(recoveredAt) ? Math.max(0, recoveredAt - repairedAt) / 1_000 : null;
}

/** A 503 without Retry-After is always a violation, so it is counted separately. */
function statusOf({ status, hasRetryAfter }: FailedRequest): string {
  return status === 503 && !hasRetryAfter ? "503 without Retry-After" : String(status);
}

export function describeFailed(requests: readonly FailedRequest[]): string[] {
  const kindOf = (request: FailedRequest) =>
    `${request.name} ${request.status === 0 ? "without a response" : `with ${statusOf(request)}`}`;
  return Object.entries(countBy(requests, kindOf)).map(
    ([kind, count]) => `failed requests: ${count} ${kind}`,
  );
}

function countBy<Item>(items: readonly Item[], name: (item: Item) => string): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(items, name)].map(([key, group]) => [key, group.length]));
}
