// Adds up one fault's run: what was wanted, what was promised, what the databases hold, what came out. Pure.
import type { CommittedEvent } from "./committed.ts";
import type { ObservedEvent, Webhook } from "./observer.ts";
import type { Operation, Refusal } from "./stream.ts";

export interface Observed {
  readonly operations: readonly Operation[];
  readonly refusals: readonly Refusal[];
  readonly orders: readonly { id: string }[];
  readonly events: readonly CommittedEvent[];
  /** Those of earlier runs too: a wiped broker is sent them again. */
  readonly everCommitted: readonly CommittedEvent[];
  readonly heard: readonly Omit<ObservedEvent, "at">[];
  readonly webhooks: readonly Webhook[];
  readonly forged: number;
  /** When what was broken was whole again. */
  readonly healedAt: number;
  readonly unexpectedExits: number;
}

export interface Row {
  readonly attempted: number;
  readonly acknowledged: number;
  readonly committed: number;
  /** Events that reached everybody who was to hear of them: the exchange's consumer, and for redirects the receiver. */
  readonly delivered: number;
  /** Acknowledged and not committed, committed without an event, or committed and not delivered. */
  readonly lost: number;
  /** Webhooks that the receiver had accepted before. */
  readonly duplicated: number;
  /** Heard or received although nothing like it was committed; or not signed as it should be. */
  readonly unexpected: number;
  /** Aggregates whose removal was heard before their adding. */
  readonly outOfOrder: number;
  /** From the repair to the first order acknowledged and the first webhook of something begun since; null for none. */
  readonly recoverySeconds: number | null;
  /** Requests that were not answered, or with 5xx, by status; 0 is no answer. */
  readonly refused: Readonly<Record<string, number>>;
  readonly unexpectedExits: number;
}

export function reconcile(observed: Observed): Row {
  const { operations, orders, events, heard, webhooks, refusals } = observed;
  const acknowledged = operations.filter(({ acknowledgedAt }) => acknowledgedAt !== null);
  const keys = new Set(events.map(keyOf));
  const everKeys = new Set(observed.everCommitted.map(keyOf));
  const observedKeys = new Set(heard.map(keyOf));
  const received = new Set(webhooks.filter(({ isAccepted }) => isAccepted).map(keyOf));
  const isDelivered = (event: CommittedEvent) =>
    observedKeys.has(keyOf(event)) && (event.type === "order.placed" || received.has(keyOf(event)));
  const undelivered = events.filter((event) => !isDelivered(event));
  const broken = acknowledged.filter(({ kind, id }) => !keys.has(`${kind} ${id}`));
  const silent = orders.filter(({ id }) => !keys.has(`order.placed ${id}`));
  return {
    attempted: operations.length,
    acknowledged: acknowledged.length,
    committed: events.length,
    delivered: events.length - undelivered.length,
    lost: undelivered.length + broken.length + silent.length,
    duplicated: repeated(webhooks),
    unexpected: [...webhooks, ...heard].filter((one) => !everKeys.has(keyOf(one))).length + observed.forged,
    outOfOrder: countOutOfOrder(heard),
    recoverySeconds: recovery(observed),
    refused: countBy(refusals, nameOf),
    unexpectedExits: observed.unexpectedExits,
  };
}

function keyOf({ type, id }: { type: string; id: string }): string {
  return `${type} ${id}`;
}

function repeated(webhooks: readonly Webhook[]): number {
  const accepted = webhooks.filter(({ isAccepted }) => isAccepted);
  return accepted.length - new Set(accepted.map(({ deliveryId }) => deliveryId)).size;
}

/** By what the consumer hears first of what was published for the first time: a repetition is never out of order. */
function countOutOfOrder(heard: Observed["heard"]): number {
  const firstAt = new Map<string, number>();
  for (const [at, one] of heard.entries())
    if (!one.isReplayed && !firstAt.has(keyOf(one))) firstAt.set(keyOf(one), at);
  const replayed = new Set(heard.filter(({ isReplayed }) => isReplayed).map(keyOf));
  return [...firstAt].filter(([key, at]) => {
    if (!key.startsWith("redirect.removed ")) return false;
    const added = key.replace("removed", "added");
    const addedAt = firstAt.get(added);
    // The broker lost the first publication, and the replay made up for it.
    if (addedAt === undefined) return !replayed.has(added);
    return addedAt > at;
  }).length;
}

function recovery({ operations, webhooks, healedAt }: Observed): number | null {
  const since = operations.filter(({ startedAt }) => startedAt >= healedAt);
  const isNew = new Set(since.map(({ kind, id }) => `${kind} ${id}`));
  const firstAnswer = Math.min(
    ...since.map(({ acknowledgedAt }) => acknowledgedAt ?? Number.POSITIVE_INFINITY),
  );
  const firstWebhook = Math.min(
    ...webhooks.filter((one) => one.isAccepted && isNew.has(keyOf(one))).map(({ at }) => at),
  );
  const recoveredAt = Math.max(firstAnswer, firstWebhook);
  return Number.isFinite(recoveredAt) ? Math.max(0, recoveredAt - healedAt) / 1_000 : null;
}

/** A 503 that does not say when to come back is another than one that does. */
function nameOf({ status, hasRetryAfter }: Refusal): string {
  return status === 503 && !hasRetryAfter ? "503 without Retry-After" : String(status);
}

function countBy<One>(all: readonly One[], name: (one: One) => string): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(all, name)].map(([key, of]) => [key, of.length]));
}
