import { ALWAYS_OFFERED, EVENT_TYPES, type EventType } from "../format/webhooks.ts";
import { useList } from "./use-list.ts";

/** The types that a subscription may name here, also as options of a field. */
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
