// What receives events: the shop's subscriptions, and its listeners, whose deliveries are fetched. A tenant has at most 50 and 20
// of them, so one page has all.
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
  /** Undefined until they are read. */
  readonly all: readonly Receiver[] | undefined;
  /** Null if it no longer exists, undefined if that is not known. */
  find(id: string): Receiver | null | undefined;
}

const QUERY = { limit: 100 };
// A delivery to one that was just made is on the screen soon.
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
