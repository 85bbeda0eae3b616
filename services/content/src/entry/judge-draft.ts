// Judges what is to be written into a draft: the body and its data together, so that every fault is told at once.
import { type FieldFault, validate } from "@tradepost/http";
import type { z } from "zod";
import type { ContentType, Field } from "../content-type/content-type.ts";
import { dataFaults, type EntryData } from "./entry-data.ts";
import { type EntryChange, type EntryInput, entryChange, entryInput } from "./entry-input.ts";

/** In: a body, and what finds a content type. Out: the input and its type. Throws 422 with every fault. */
export async function judgeNew(
  body: unknown,
  findType: (slug: string) => Promise<ContentType | null>,
): Promise<{ input: EntryInput; contentType: ContentType }> {
  const { type } = objectIn(body);
  const contentType = typeof type === "string" ? await findType(type) : null;
  const isUnknown = typeof type === "string" && contentType === null;
  const input = judge(
    entryInput,
    body,
    isUnknown ? [{ path: "type", message: "must be a content type that is there" }] : [],
    contentType?.fields ?? null,
  );
  if (contentType === null) throw new Error("a body without a type that is there was let through");
  return { input, contentType };
}

/** In: a body that changes an entry, and its type's fields where they are known. Throws 422 with every fault. */
export function judgeChange(body: unknown, fields: readonly Field[] | null): EntryChange {
  return judge(entryChange, body, [], fields);
}

function judge<Input>(
  schema: z.ZodType<Input>,
  body: unknown,
  faults: readonly FieldFault[],
  fields: readonly Field[] | null,
): Input {
  const data = objectIn(objectIn(body).data);
  const ofData =
    fields === null ? [] : dataFaults(withoutCleared(data, fields), fields, { isToBeWhole: false });
  return validate(schema, body, [...faults, ...ofData]);
}

/** A null clears a field and has no value to judge. A null for a key that is no field stays, and is a fault. */
function withoutCleared(data: EntryData, fields: readonly Field[]): EntryData {
  const known = new Set(fields.map(({ key }) => key));
  return Object.fromEntries(Object.entries(data).filter(([key, value]) => value !== null || !known.has(key)));
}

/** What is no object has nothing in it; that it is none is the schema's to say. */
function objectIn(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
