// Validates a request to write a draft: the body's schema and the data's fields together, so that one response names
// every fault.
import type { FieldFault } from "@tradepost/http";
import type { ContentType, Field } from "../content-type/content-type.ts";
import { dataFaults } from "../content-type/data-faults.ts";
import type { DeferredBody } from "../deferred-body.ts";
import type { EntryData } from "./entry-data.ts";
import type { EntryChange, EntryInput } from "./entry-input.ts";

/** Throws 422 with every fault. */
export async function validateNewEntry(
  body: DeferredBody<EntryInput>,
  findType: (slug: string) => Promise<ContentType | null>,
): Promise<{ input: EntryInput; contentType: ContentType }> {
  const { type } = objectIn(body.json);
  const contentType = typeof type === "string" ? await findType(type) : null;
  const isUnknown = typeof type === "string" && contentType === null;
  const input = body.validate([
    ...(isUnknown ? [{ path: "type", message: "no such content type" }] : []),
    ...faultsOfData(body, contentType?.fields ?? null),
  ]);
  if (contentType === null) throw new Error("the schema accepted a body without a type");
  return { input, contentType };
}

/** Throws 422 with every fault. The fields are null if the entry does not exist; then only the schema is checked. */
export function validateEntryChange(
  body: DeferredBody<EntryChange>,
  fields: readonly Field[] | null,
): EntryChange {
  return body.validate(faultsOfData(body, fields));
}

function faultsOfData({ json }: DeferredBody<unknown>, fields: readonly Field[] | null): FieldFault[] {
  if (fields === null) return [];
  const data = objectIn(objectIn(json).data);
  return dataFaults(withoutRemoved(data, fields), fields, { mustBeComplete: false });
}

/** `null` removes a field, so it is not validated; `null` for an unknown field remains a fault. */
function withoutRemoved(data: EntryData, fields: readonly Field[]): EntryData {
  const known = new Set(fields.map(({ key }) => key));
  return Object.fromEntries(Object.entries(data).filter(([key, value]) => value !== null || !known.has(key)));
}

/** Empty if the value is not an object; the schema reports that. */
function objectIn(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
