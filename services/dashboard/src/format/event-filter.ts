import type { DataOf } from "@tradepost/client/operations";
import type { EventType } from "./webhooks.ts";
import { listed } from "./words.ts";

type EventFilter = NonNullable<DataOf<"getSubscription">["filter"]>;
export type FilterField = keyof EventFilter;
/** A filter as it is sent, where a field may be null. */
export type SentFilter = { readonly [K in FilterField]?: string[] | null } | null;

interface FieldWording {
  readonly label: string;
  readonly example: string;
  /** The beginning of the types whose events have this field. */
  readonly typePrefix: string;
  /** The resources that have this field, in the plural. */
  readonly kind: string;
  /** The words before the values in `filterLines`. */
  readonly sent: string;
  /** The field in `mismatchText`. */
  readonly part: string;
}

export const FILTER_FIELDS: Readonly<Record<FilterField, FieldWording>> = {
  entryType: {
    label: "Content types",
    example: "article",
    typePrefix: "content.entry.",
    kind: "entries",
    sent: "of the type",
    part: "content type",
  },
  locale: {
    label: "Locales",
    example: "en",
    typePrefix: "content.entry.",
    kind: "entries",
    sent: "in the locale",
    part: "locale",
  },
  slugPrefix: {
    label: "Slugs that begin with",
    example: "news/",
    typePrefix: "content.entry.",
    kind: "entries",
    sent: "with a slug that begins with",
    part: "slug",
  },
  mediaType: {
    label: "Media types that begin with",
    example: "image/",
    typePrefix: "media.",
    kind: "files",
    sent: "of a media type that begins with",
    part: "media type",
  },
  fromPrefix: {
    label: "Redirects from paths that begin with",
    example: "/winter",
    typePrefix: "redirect.",
    kind: "redirects",
    sent: "from a path that begins with",
    part: "path",
  },
  changed: {
    label: "Updates that change the fields",
    example: "title",
    typePrefix: "content.entry.updated",
    kind: "updates of entries",
    sent: "that change",
    part: "list of changed fields",
  },
};

export const ALL_FILTER_FIELDS = Object.keys(FILTER_FIELDS) as FilterField[];

export function appliesTo(field: FilterField, types: readonly EventType[]): boolean {
  return types.some((type) => type.startsWith(FILTER_FIELDS[field].typePrefix));
}

const EITHER = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** A line for each kind, `Only entries of the type “page”, in the locale “en” or “de”`; none without a filter. */
export function filterLines(filter: SentFilter): string[] {
  const given = ALL_FILTER_FIELDS.flatMap((field) => {
    const { kind, sent } = FILTER_FIELDS[field];
    const values = filter?.[field]?.map((value) => `“${value}”`);
    return values === undefined ? [] : [{ kind, text: `${sent} ${EITHER.format(values)}` }];
  });
  const kinds = Map.groupBy(given, ({ kind }) => kind);
  return [...kinds].map(([kind, fields]) => `Only ${kind} ${fields.map(({ text }) => text).join(", ")}`);
}

/** Says why a filter did not match an event: `its locale and its slug do not match`. */
export function mismatchText(fields: readonly FilterField[]): string {
  const parts = fields.map((field) => `its ${FILTER_FIELDS[field].part}`);
  return `${listed(parts)} ${parts.length === 1 ? "does" : "do"} not match`;
}
