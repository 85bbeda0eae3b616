// A content type: the fields of its entries and which of them are required (interface §5). Pure.

export const fieldTypes = [
  ...(["text", "richtext", "number", "boolean", "datetime"] as const),
  ...(["media", "reference", "json"] as const),
] as const;

export interface Field {
  readonly key: string;
  readonly type: (typeof fieldTypes)[number];
  readonly required: boolean;
}

export interface ContentType {
  readonly slug: string;
  readonly name: string;
  readonly fields: readonly Field[];
  readonly version: number;
}

export function isSameType(
  before: Pick<ContentType, "name" | "fields">,
  after: Pick<ContentType, "name" | "fields">,
): boolean {
  return before.name === after.name && isSameFields(before.fields, after.fields);
}

export function isSameFields(before: readonly Field[], after: readonly Field[]): boolean {
  const serialize = (fields: readonly Field[]) =>
    JSON.stringify(fields.map(({ key, type, required }) => [key, type, required]));
  return serialize(before) === serialize(after);
}

/** Whether valid entries may become invalid: a field is removed, changes its type, or becomes required. */
export function mayInvalidateEntries(before: readonly Field[], after: readonly Field[]): boolean {
  const fieldsAfter = new Map(after.map((field) => [field.key, field]));
  const wasRequired = new Set(before.flatMap(({ key, required }) => (required ? key : [])));
  return (
    before.some(({ key, type }) => fieldsAfter.get(key)?.type !== type) ||
    after.some(({ key, required }) => required && !wasRequired.has(key))
  );
}
