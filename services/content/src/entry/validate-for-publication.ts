// Validates data before it goes live or is scheduled: no required field is missing, and what it refers to exists.
import { type FieldFault, invalid } from "@tradepost/http";
import { sql } from "kysely";
import { dataFaults, lockContentType } from "../content-type/content-type.ts";
import type { Field, Tenant } from "../tables.ts";
import { type EntryData, referencedIds } from "./entry-data.ts";
import type { Revision } from "./entry-resource.ts";
import type { EntryRow } from "./entry-store.ts";

export async function validateForPublication(tx: Tenant, { type }: EntryRow, { data }: Revision) {
  const contentType = await lockContentType(tx, type);
  const fields = contentType?.fields ?? [];
  const faults: FieldFault[] = dataFaults(data, fields, { mustBeComplete: true });
  const [unknownIds = []] = await findUnknownIds(tx, [{ data, fields }]);
  if (faults.length + unknownIds.length > 0) throw invalid([...faults, ...unknownIds]);
}

/** Returns, for each item, a fault for each field whose asset or entry does not exist, with two statements in all. */
export async function findUnknownIds(
  { db, tenantId }: Tenant,
  items: readonly { readonly data: EntryData; readonly fields: readonly Field[] }[],
): Promise<FieldFault[][]> {
  const referenced = items.map(({ data, fields }) => referencedIds(data, fields));
  const existing = async (table: "media" | "entries", type: Field["type"]): Promise<string[]> => {
    const ids = referenced.flat().flatMap((one) => (one.type === type ? one.id : []));
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom(table)
      .select("id")
      .where("tenant_id", "=", tenantId)
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .execute();
    return rows.map(({ id }) => id);
  };
  const media = new Set(await existing("media", "media"));
  const entries = new Set(await existing("entries", "reference"));
  return referenced.map((one) =>
    one
      .filter(({ type, id }) => !(type === "media" ? media : entries).has(id))
      .map(({ key, type }) => ({
        path: `data.${key}`,
        message: type === "media" ? "no such media asset" : "no such entry",
      })),
  );
}
