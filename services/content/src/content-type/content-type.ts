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
