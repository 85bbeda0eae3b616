// The receivers of events: the shop's subscriptions, and its listeners, which fetch their deliveries. A tenant has at most 50
// subscriptions and 20 listeners, so one page of each has them all.
import type { EventType } from "../format/webhooks.ts";
import { useList } from "./use-list.ts";

interface Receiver {
  readonly id: string;
  readonly kind: "subscription" | "listener";
  readonly name: string;
  readonly isActive: boolean;
  readonly events: readonly EventType[];
}

export interface Receivers {
  readonly all: readonly Receiver[] | undefined;
  /** Null if the receiver no longer exists, undefined if that is not known yet. */
  find(id: string): Receiver | null | undefined;
}

const QUERY = { limit: 100 };
// Short, because the log soon shows deliveries to a new receiver.
const LIVE_MS = 5_000;

export function useReceivers(): Receivers {
  const { items: subscriptions } = useList("listSubscriptions", QUERY, { everyMs: LIVE_MS });
  const { items: listeners } = useList("listListeners", QUERY, { everyMs: LIVE_MS });
  const all =
    subscriptions === undefined || listeners === undefined
      ? undefined
      : [
          ...subscriptions.map((one) => ({ ...one, kind: "subscription" as const, isActive: one.active })),
          ...listeners.map((one) => ({ ...one, kind: "listener" as const, isActive: one.active })),
        ];
  return { all, find: (id) => all && (all.find((receiver) => receiver.id === id) ?? null) };
}
