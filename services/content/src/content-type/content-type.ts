// What a content type is: the fields that its entries may and must have (contract §5). Pure.

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

/** True where a change to this would change nothing. */
export function isSameType(
  before: Pick<ContentType, "name" | "fields">,
  after: Pick<ContentType, "name" | "fields">,
): boolean {
  const written = ({ name, fields }: Pick<ContentType, "name" | "fields">) =>
    JSON.stringify([name, fields.map(({ key, type, required }) => [key, type, required])]);
  return written(before) === written(after);
}

/** Whether entries that were valid may not be any more: a field is gone, has another type, or is required now. */
export function mayBreakEntries(before: readonly Field[], after: readonly Field[]): boolean {
  const now = new Map(after.map((field) => [field.key, field]));
  const wasRequired = new Set(before.flatMap(({ key, required }) => (required ? key : [])));
  return (
    before.some(({ key, type }) => now.get(key)?.type !== type) ||
    after.some(({ key, required }) => required && !wasRequired.has(key))
  );
}
