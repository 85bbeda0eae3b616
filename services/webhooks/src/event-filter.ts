// Which events a subscription gets: its types, and its filter, which selects among their events by their data (interface §18). Pure.
import { subscribableType, subscribableTypes } from "@tradepost/event-catalog";
import { languageTag, shaped, text } from "@tradepost/http";
import { z } from "zod";

export const eventTypesInput = (more: readonly string[] | undefined) =>
  z
    .array(eventTypeInput(more), "must be a list of event types")
    .min(1, "must contain at least 1 event type")
    .max(
      subscribableType.options.length,
      `must contain at most ${subscribableType.options.length} event types`,
    )
    .refine((types) => new Set(types).size === types.length, "must not repeat an event type")
    .meta({ uniqueItems: true });

export function eventTypeInput(more: readonly string[] = []) {
  const types: readonly string[] = [...subscribableTypes, ...more];
  const error = ({ input }: { input: unknown }) => ruleForType(String(input), more);
  return shaped(
    z.string("must be a string").refine((type) => types.includes(type), { error }),
    subscribableType,
  );
}

/** Events of customers have no webhooks, and events of orders only where the operator offers them. */
export function ruleForType(type: string, more: readonly string[]): string {
  const rule = `must be one of ${[...subscribableTypes, ...more].join(", ")}`;
  const [, resource] = /^(order|customer)\./.exec(type) ?? [];
  return resource === undefined ? rule : `${rule}; ${resource}s have a change feed: /v1/${resource}s/events`;
}

/** For lists. A type that does not exist is not refused. */
export const typeQuery = z
  .string()
  .max(255)
  .refine((type) => /^[\w.]+$/.test(type), "must be one event type")
  .optional()
  .describe("The event's type.");

const VALUES_MAX = 20;
const RULE = `must be a list of 1 to ${VALUES_MAX} texts`;

const values = (value: z.ZodType<string>, description: string) =>
  z
    .array(value, RULE)
    .min(1, RULE)
    .max(VALUES_MAX, RULE)
    .nullable()
    .optional()
    .transform((list) => list ?? undefined)
    .describe(description);

// An octet that is percent-encoded, or a character that RFC 3986 does not allow in a path.
const ENCODED_OR_NOT_ALLOWED = /%[0-9a-f]{2}|[^\w\-.~!$&'()*+,;=:@/]/gi;
const UNRESERVED = /[\w\-.~]/;

/** Normalises the percent-encoding of a path as the content service does for a redirect's `from` (RFC 3986 §6.2.2). */
function normalPath(path: string): string {
  return path.replace(ENCODED_OR_NOT_ALLOWED, (text) => {
    if (text.length === 1) return encodeURIComponent(text);
    const character = String.fromCharCode(Number.parseInt(text.slice(1), 16));
    return UNRESERVED.test(character) ? character : text.toUpperCase();
  });
}

/** Percent-encoded, as a redirect's `from` is. */
const pathPrefix = text(2_048).transform((typed, context) => {
  const path = typed.trim();
  if (path.startsWith("/") && !/[?#]/.test(path)) {
    return normalPath(new URL(`http://site${path}`).pathname);
  }
  context.addIssue({ code: "custom", message: "must begin with / and have no query and no fragment" });
  return z.NEVER;
});

/** An event must match each field that applies to it, by any of the field's values. */
export const eventFilter = z
  .strictObject({
    entryType: values(text(255), "Entries of these content types."),
    locale: values(languageTag, "Entries in these locales."),
    slugPrefix: values(text(255), "Entries whose slug begins with one of these."),
    mediaType: values(text(255), "Media whose type begins with one of these, such as `image/`."),
    fromPrefix: values(pathPrefix, "Redirects whose `from` begins with one of these."),
    changed: values(text(255), "Updates of entries that change one of these fields, or `slug`."),
  })
  .refine((filter) => Object.values(filter).some((list) => list !== undefined), "must have a field")
  .meta({ minProperties: 1 });

export const filterField = z.enum(Object.keys(eventFilter.shape) as [FilterField, ...FilterField[]]);

export type FilterField = keyof typeof eventFilter.shape;
export type EventFilter = Readonly<Partial<Record<FilterField, readonly string[] | undefined>>>;

export const shownFilter = z
  .strictObject(
    Object.fromEntries(
      Object.entries(eventFilter.shape).map(([field, { description = "" }]) => [
        field,
        z.array(z.string()).optional().describe(description),
      ]),
    ),
  )
  .meta({
    id: "EventFilter",
    description:
      "A field applies to the events that have it; the others pass. An event must match each field that applies, and matches it by any of its values.",
  });

export interface Facets {
  readonly entryType: string | null;
  readonly locale: string | null;
  readonly slug: string | null;
  /** The slug before a `content.entry.updated` that changed it. */
  readonly previousSlug: string | null;
  readonly mediaType: string | null;
  readonly from: string | null;
  readonly changed?: readonly unknown[];
}

export function facetsOf({
  entry,
  media,
  redirect,
  previousSlug,
  changedFields,
}: Readonly<Record<string, unknown>>): Facets {
  return {
    entryType: textOf(entry, "type"),
    locale: textOf(entry, "locale"),
    slug: textOf(entry, "slug"),
    previousSlug: typeof previousSlug === "string" ? previousSlug : null,
    mediaType: textOf(media, "contentType"),
    from: textOf(redirect, "from"),
    ...(Array.isArray(changedFields) && { changed: changedFields }),
  };
}

function textOf(resource: unknown, key: string): string | null {
  const value = (resource as Readonly<Record<string, unknown>> | null | undefined)?.[key];
  return typeof value === "string" ? value : null;
}

const isOneOf = (value: unknown, wanted: readonly unknown[]) => wanted.includes(value);
const beginsWithOneOf = (value: unknown, wanted: readonly string[]) =>
  wanted.some((prefix) => String(value).startsWith(prefix));

/** Returns null if the event has none of the facts. */
function known(...facts: (string | null)[]): readonly string[] | null {
  const found = facts.filter((fact) => fact !== null);
  return found.length === 0 ? null : found;
}

// An update is matched by the slug before and after it, so that a receiver learns of an entry that leaves its filter.
const FIELDS = {
  entryType: { of: ({ entryType }: Facets) => known(entryType), matches: isOneOf },
  locale: { of: ({ locale }: Facets) => known(locale), matches: isOneOf },
  slugPrefix: { of: ({ slug, previousSlug }: Facets) => known(slug, previousSlug), matches: beginsWithOneOf },
  mediaType: { of: ({ mediaType }: Facets) => known(mediaType), matches: beginsWithOneOf },
  fromPrefix: { of: ({ from }: Facets) => known(from), matches: beginsWithOneOf },
  changed: { of: ({ changed }: Facets) => changed ?? null, matches: isOneOf },
} as const;

/** Empty if the subscription wants the event. */
export function unmatchedFields(filter: EventFilter | null, facets: Facets): FilterField[] {
  if (filter === null) return [];
  return (Object.keys(FIELDS) as FilterField[]).filter((field) => {
    const wanted = filter[field];
    const found = FIELDS[field].of(facets);
    return wanted !== undefined && found?.some((value) => FIELDS[field].matches(value, wanted)) === false;
  });
}
