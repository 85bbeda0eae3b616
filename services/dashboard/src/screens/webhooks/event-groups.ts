// The event types by the kind of resource. Pure.
import { EVENT_TYPES, type EventType } from "../../format/webhooks.ts";

interface EventGroup {
  readonly name: string;
  readonly types: readonly EventType[];
}

const NAMES: Readonly<Record<string, string>> = { content: "Entries", media: "Files", redirect: "Redirects" };

export const ALL_TYPES = Object.keys(EVENT_TYPES) as EventType[];

/** In the order of the types. */
export const EVENT_GROUPS: readonly EventGroup[] = [...Map.groupBy(ALL_TYPES, kindOf)].map(
  ([kind, types]) => ({ name: NAMES[kind] ?? kind, types }),
);

function kindOf(type: EventType): string {
  return type.split(".", 1).join();
}

/** Returns the chosen types and the others, each once, in the usual order. */
export function withAll(chosen: readonly EventType[], others: readonly EventType[]): EventType[] {
  return ALL_TYPES.filter((type) => chosen.includes(type) || others.includes(type));
}

export function withoutAll(chosen: readonly EventType[], others: readonly EventType[]): EventType[] {
  return chosen.filter((type) => !others.includes(type));
}
