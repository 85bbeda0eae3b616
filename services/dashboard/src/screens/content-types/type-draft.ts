import type { BodyOf, DataOf } from "@tradepost/client/operations";

export type ContentType = DataOf<"getContentType">;
export type FieldType = ContentType["fields"][number]["type"];

/** The id identifies the field while its place and its key change. */
export type DraftField = ContentType["fields"][number] & { readonly id: string };

export interface TypeDraft extends Pick<ContentType, "slug" | "name"> {
  readonly fields: readonly DraftField[];
}

export const FIELD_TYPES: readonly { readonly value: FieldType; readonly text: string }[] = [
  { value: "text", text: "Text, one line" },
  { value: "richtext", text: "Long text" },
  { value: "number", text: "Number" },
  { value: "boolean", text: "Yes or no" },
  { value: "datetime", text: "Date and time" },
  { value: "media", text: "Media" },
  { value: "reference", text: "Another entry" },
  { value: "json", text: "JSON" },
];

export function nameOfFieldType(type: FieldType): string {
  return FIELD_TYPES.find((one) => one.value === type)?.text ?? type;
}

export const EMPTY: TypeDraft = {
  slug: "",
  name: "",
  fields: [{ id: "1", key: "title", type: "text", required: true }],
};

export const ARTICLE: TypeDraft = {
  slug: "article",
  name: "Article",
  fields: [
    { id: "1", key: "title", type: "text", required: true },
    { id: "2", key: "body", type: "richtext", required: false },
  ],
};

export function draftOf({ slug, name, fields }: ContentType): TypeDraft {
  return { slug, name, fields: fields.map((field, index) => ({ ...field, id: `${index + 1}` })) };
}

export function bodyOf({ name, fields }: TypeDraft): BodyOf<"putContentType"> {
  return { name, fields: fields.map(({ key, type, required }) => ({ key, type, required })) };
}

export function isSame(one: TypeDraft, other: TypeDraft): boolean {
  return one.slug === other.slug && JSON.stringify(bodyOf(one)) === JSON.stringify(bodyOf(other));
}

const SLUG_CHARACTERS_MAX = 64;

/** `Büro & Küche` becomes `buro-kuche`. */
export function slugOf(name: string): string {
  const words = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return (words ?? []).join("-").slice(0, SLUG_CHARACTERS_MAX).replace(/-$/, "");
}

/** The slug follows the name until somebody writes a slug. */
export function named(draft: TypeDraft, name: string): TypeDraft {
  return { ...draft, name, slug: draft.slug === slugOf(draft.name) ? slugOf(name) : draft.slug };
}

/** Moves an item one place up (-1) or down (1). At the ends of the list, returns the same list. */
export function moved<Item>(items: readonly Item[], index: number, by: -1 | 1): readonly Item[] {
  const [item, other] = [items[index], items[index + by]];
  if (item === undefined || other === undefined) return items;
  return items.map((one, at) => (at === index ? other : at === index + by ? item : one));
}

/** The fields in words, one a line: `title: Text, one line, required`. */
export function fieldsText(fields: readonly Omit<DraftField, "id">[]): string {
  const lines = fields.map(
    ({ key, type, required }) => `${key}: ${nameOfFieldType(type)}${required ? ", required" : ""}`,
  );
  return lines.join("\n") || "none";
}

/** Returns the id of the entry that a refusal (409 `content_type_in_use`) names. */
export function entryIn(message: string): string | undefined {
  return /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(message)?.[0];
}
