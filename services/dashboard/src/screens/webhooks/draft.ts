import { ALL_FILTER_FIELDS, filterLines, type SentFilter } from "../../format/event-filter.ts";
import { EVENT_TYPES, type EventType } from "../../format/webhooks.ts";
import { linesOf } from "../../format/words.ts";
import { PAYLOADS, type Subscription } from "./texts.ts";

/** Stands for a saved value, which is never shown. The platform keeps the value if this is sent. */
export const KEPT = "•••";

/** Without a filter, all events of the chosen types are sent. Null means no limit. */
export interface Draft
  extends Pick<Subscription, "name" | "url" | "events" | "payload" | "maxPerSecond" | "maxInFlight"> {
  readonly filter: SentFilter;
  readonly headers: { [name: string]: string } | null;
}

export function newDraft(events: readonly EventType[]): Draft {
  return {
    ...{ name: "", url: "", events: [...events], filter: null, payload: "full", headers: {} },
    ...{ maxPerSecond: null, maxInFlight: null },
  };
}

export function draftOf(subscription: Subscription): Draft {
  const { name, url, events, filter, payload, maxPerSecond, maxInFlight, headers } = subscription;
  return { name, url, events, filter, payload, maxPerSecond, maxInFlight, headers };
}

export function draftIn(form: FormData): Draft {
  const values = form.getAll("headerValue").map(String);
  return {
    name: String(form.get("name")).trim(),
    url: String(form.get("url")).trim(),
    events: form.getAll("events") as EventType[],
    filter: filterIn(form),
    payload: form.get("payload") === "thin" ? "thin" : "full",
    maxPerSecond: limitIn(form.get("maxPerSecond")),
    maxInFlight: limitIn(form.get("maxInFlight")),
    headers: Object.fromEntries(
      form.getAll("headerName").map((name, index) => [String(name).trim(), values[index] ?? ""]),
    ),
  };
}

/** Each line of a field is a value. Empty fields, and disabled ones that no chosen event has, are left out. */
function filterIn(form: FormData): SentFilter {
  const fields = ALL_FILTER_FIELDS.map((field) => [field, linesOf(form.get(field))] as const);
  const given = fields.filter(([, values]) => values.length > 0);
  return given.length === 0 ? null : Object.fromEntries(given);
}

function limitIn(value: unknown): number | null {
  const text = String(value ?? "").trim();
  return text === "" ? null : Number(text);
}

const DIFFERENCES: readonly (readonly [field: string, textOf: (draft: Draft) => string])[] = [
  ["Name", ({ name }) => name],
  ["URL", ({ url }) => url],
  ["Events", eventsText],
  ["Filter", filterText],
  ["Data", ({ payload }) => PAYLOADS[payload]],
  ["Attempts a second", ({ maxPerSecond }) => limitText(maxPerSecond)],
  ["Attempts at a time", ({ maxInFlight }) => limitText(maxInFlight)],
  ["Headers", headersText],
];

export function differencesOf(yours: Draft, now: Draft) {
  const rows = DIFFERENCES.map(([field, textOf]) => ({ field, yours: textOf(yours), now: textOf(now) }));
  return rows.filter((row) => row.yours !== row.now);
}

function eventsText({ events }: Draft): string {
  return withAll(events, [])
    .map((type) => EVENT_TYPES[type])
    .join("\n");
}

function filterText({ filter }: Draft): string {
  return filterLines(filter).join("\n") || "None";
}

function limitText(limit: number | null): string {
  return limit === null ? "No limit" : `At most ${limit}`;
}

/** Hides all values, because a new value is as secret as a saved one. */
function headersText({ headers }: Draft): string {
  const lines = Object.entries(headers ?? {}).map(
    ([name, value]) => `${name}: ${value === KEPT ? KEPT : "a new value"}`,
  );
  return lines.toSorted().join("\n") || "None";
}

const NAMES: Readonly<Record<string, string>> = {
  ...{ content: "Entries", media: "Files", redirect: "Redirects", order: "Orders" },
};

const ALL_TYPES = Object.keys(EVENT_TYPES) as EventType[];

export function eventGroups(offered: readonly EventType[]) {
  return [...Map.groupBy(offered, kindOf)].map(([kind, types]) => ({ name: NAMES[kind] ?? kind, types }));
}

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
