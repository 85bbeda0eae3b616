// Looks whether the media assets and entries that data names are there, before the data goes live.
import type { FieldFault } from "@tradepost/http";
import type { TenantStatements } from "@tradepost/postgres";
import { sql } from "kysely";
import type { Field } from "../content-type/content-type.ts";
import type { Tables } from "../tables.ts";
import { type EntryData, namedIds } from "./entry-data.ts";

/** Some data, and the fields of its type. */
interface Judged {
  readonly data: EntryData;
  readonly fields: readonly Field[];
}

/** Out: for each, a fault for each field whose asset or entry the tenant does not have. Two statements, however many. */
export async function findUnknownIds(
  { db, tenantId }: TenantStatements<Tables>,
  judged: readonly Judged[],
): Promise<FieldFault[][]> {
  const named = judged.map(({ data, fields }) => namedIds(data, fields));
  const known = async (table: "media" | "entries", type: Field["type"]): Promise<string[]> => {
    const ids = named.flat().flatMap((one) => (one.type === type ? one.id : []));
    if (ids.length === 0) return [];
    const rows = await db
      .selectFrom(table)
      .select("id")
      .where("tenant_id", "=", tenantId)
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .execute();
    return rows.map(({ id }) => id);
  };
  const media = new Set(await known("media", "media"));
  const entries = new Set(await known("entries", "reference"));
  return named.map((one) =>
    one
      .filter(({ type, id }) => !(type === "media" ? media : entries).has(id))
      .map(({ key, type }) => ({
        path: `data.${key}`,
        message: type === "media" ? "must be a media asset that is there" : "must be an entry that is there",
      })),
  );
}
