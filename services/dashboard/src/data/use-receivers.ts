// The receivers of events: the shop's subscriptions, and its listeners, which fetch their deliveries. A tenant has at most 50
// subscriptions and 20 listeners, so one page of each has them all.
import type { ItemOf } from "@tradepost/client/operations";
import { ALWAYS_OFFERED, EVENT_TYPES, type EventType } from "../format/webhooks.ts";
import { LIVE_MS, useList } from "./operations.ts";

type Receiver =
  | (ItemOf<"listSubscriptions"> & { readonly kind: "subscription" })
  | (ItemOf<"listListeners"> & { readonly kind: "listener" });

export interface Receivers {
  readonly all: readonly Receiver[] | undefined;
  /** Null if the receiver no longer exists, undefined if that is not known yet. */
  find(id: string): Receiver | null | undefined;
}

const QUERY = { limit: 100 };

export function useReceivers(isWanted = true): Receivers {
  const options = { everyMs: LIVE_MS, isAllowed: isWanted };
  const { items: subscriptions } = useList("listSubscriptions", QUERY, options);
  const { items: listeners } = useList("listListeners", QUERY, options);
  const all =
    subscriptions === undefined || listeners === undefined
      ? undefined
      : [
          ...subscriptions.map((one) => ({ ...one, kind: "subscription" as const })),
          ...listeners.map((one) => ({ ...one, kind: "listener" as const })),
        ];
  return { all, find: (id) => all && (all.find((receiver) => receiver.id === id) ?? null) };
}

/** The types that the operator offers to subscriptions, also as options of a field. */
export function useEventTypes() {
  const { items } = useList("listEventTypes");
  const types: readonly EventType[] = items?.map(({ type }) => type) ?? ALWAYS_OFFERED;
  return {
    types,
    items: new Map(items?.map((item) => [item.type, item])),
    options: types.map((value) => ({ value, text: EVENT_TYPES[value] })),
    hasOrders: types.some((type) => type.startsWith("order.")),
  };
}
