// Looks whether the media assets and entries that data names are there, before the data goes live.
import type { FieldFault } from "@tradepost/http";
import type { TenantStatements } from "@tradepost/postgres";
import type { Field } from "../content-type/content-type.ts";
import type { Tables } from "../tables.ts";
import { type EntryData, namedIds } from "./entry-data.ts";

/** Out: a fault for each field whose asset or entry the tenant does not have. */
export async function findUnknownIds(
  { db, tenantId }: TenantStatements<Tables>,
  data: EntryData,
  fields: readonly Field[],
): Promise<FieldFault[]> {
  const named = namedIds(data, fields);
  const known = async (table: "media" | "entries", type: Field["type"]): Promise<string[]> => {
    const ids = named.filter((one) => one.type === type).map(({ id }) => id);
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom(table)
      .select("id")
      .where("tenant_id", "=", tenantId)
      .where("id", "in", ids)
      .execute();
    return rows.map(({ id }) => id);
  };
  const there = new Set([...(await known("media", "media")), ...(await known("entries", "reference"))]);
  return named
    .filter(({ id }) => !there.has(id))
    .map(({ key, type }) => ({
      path: `data.${key}`,
      message: type === "media" ? "must be a media asset that is there" : "must be an entry that is there",
    }));
}
