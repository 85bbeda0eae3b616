import { type ExportPage, type PageQuery, type Position, required, requireMatch } from "@tradepost/http";
import { bytesOf, OLDEST_FIRST, oldestFirst, withinBytes } from "@tradepost/postgres";
import { readExportPage, type SearchedWord } from "@tradepost/search";
import { type Expression, type NotNull, type RawBuilder, type Selectable, sql } from "kysely";
import { countNewest, hasWords, searchNewest } from "../search.ts";
import type { Tables, Tenant } from "../tables.ts";
import type { EntriesQuery } from "./entry-input.ts";
import { type Entry, entryOf, type Revision } from "./entry-resource.ts";

export type EntryRow = Selectable<Tables["entries"]>;

/** Listed, because a statement with `*` is not prepared in a transaction. */
export const ENTRY_COLUMNS = [
  "tenant_id",
  "id",
  "type",
  "locale",
  "slug",
  "revision",
  "published_revision",
  "published_at",
  "publish_at",
  "scheduled_revision",
  "scheduled_by",
  "schedule_try_at",
  "schedule_error",
  "created_at",
  "updated_at",
  "version",
] as const satisfies (keyof EntryRow)[];

export type Version = number | "published" | "draft";

type EntriesFilter = Omit<EntriesQuery, keyof PageQuery | "count">;

export async function findEntry(
  tenant: Tenant,
  id: string,
  version: Version = "draft",
): Promise<Entry | null> {
  const row = await withId(tenant, id).executeTakeFirst();
  if (row === undefined) return null;
  const number =
    version === "draft" ? row.revision : version === "published" ? row.published_revision : version;
  const shown = number === null ? null : await findRevision(tenant, id, number);
  return shown === null ? null : entryOf(row, shown);
}

/** Locks the entry, so that its changes and their events have one order. */
export async function lockEntry(tx: Tenant, id: string): Promise<EntryRow | null> {
  return (await withId(tx, id).forUpdate().executeTakeFirst()) ?? null;
}

function withId({ db, tenantId }: Tenant, id: string) {
  const all = db.selectFrom("entries").select(ENTRY_COLUMNS);
  return all.where("tenant_id", "=", tenantId).where("id", "=", id);
}

/** Throws 404, or 412 `version_mismatch` for another version in `If-Match`. */
export async function lockMatchingEntry(
  tx: Tenant,
  { id, raw }: { id: string; raw: { headers: { "if-match"?: string | undefined } } },
): Promise<EntryRow> {
  const entry = required(await lockEntry(tx, id), "entry");
  requireMatch(raw.headers["if-match"], entry.version);
  return entry;
}

export async function latestRevision(tx: Tenant, entry: EntryRow): Promise<Revision> {
  const latest = await findRevision(tx, entry.id, entry.revision);
  if (latest === null) throw new Error(`entry ${entry.id} has no revision ${entry.revision}`);
  return latest;
}

export async function findRevision(
  { db, tenantId }: Tenant,
  entryId: string,
  revision: number,
): Promise<Revision | null> {
  const row = await db
    .selectFrom("entry_revisions")
    .select(["revision", "slug", "data"])
    .where("tenant_id", "=", tenantId)
    .where("entry_id", "=", entryId)
    .where("revision", "=", revision)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Newest first, within the bytes of a page. The version `published` lists the live entries with their live revisions; otherwise,
 * all entries have their latest revisions. The slug is the revision's.
 */
export async function listEntries(
  tenant: Tenant,
  query: EntriesQuery,
): Promise<{ entries: Entry[]; hasMore: boolean; end?: Position | null }> {
  const matching = matchingEntries(tenant, query);
  if (matching === null) return { entries: [], hasMore: false };
  const { search, searched } = searchFor(query);
  const found = await searchNewest(tenant, matching, { ...query, search }, searched);
  const page = await readPage(tenant, found.rows, query);
  return page.hasMore ? page : { ...page, end: await found.end() };
}

/** The id of an asset is a word that begins with a blank. A search without ids leaves ids out, because reading them costs more. */
function searchFor({ search, mediaId = [] }: EntriesFilter) {
  const [first, ...others] = mediaId.map((id) => ` ${id}`);
  const ids: SearchedWord[] = first === undefined ? [] : [[first, ...others]];
  const ofEntry = sql.ref(first === undefined ? "words_of_entry" : "words_and_ids_of_entry");
  return {
    search: search === undefined && first === undefined ? undefined : [...(search ?? []), ...ids],
    searched: { words: sql`${ofEntry}(tenant_id, shown_data, shown_slug)`, find: "find_entries" } as const,
  };
}

export async function countEntries(tenant: Tenant, query: EntriesQuery) {
  const matching = matchingEntries(tenant, query);
  if (matching === null) return { count: 0, countIsMore: false };
  const { search, searched } = searchFor(query);
  return await countNewest(tenant, matching, { ...query, search }, searched);
}

const EXPORTED_ROWS_MAX = 250;

export async function readEntriesToExport(
  tenant: Tenant,
  query: EntriesFilter,
  after: Position | null,
): Promise<ExportPage<Entry>> {
  const matching = matchingEntries(tenant, query);
  if (matching === null) return { rows: [], next: null };
  const limit = EXPORTED_ROWS_MAX;
  const { search, searched } = searchFor(query);
  const bounds = { limit, version: query.version, order: OLDEST_FIRST };
  return await readExportPage(tenant, {
    matching,
    condition: search && hasWords(tenant, searched, search),
    after,
    read: async (rows, after) => {
      const { entries, hasMore } = await readPage(tenant, oldestFirst(rows, { limit, after }), bounds);
      return { rows: entries, hasMore };
    },
  });
}

function shownRevision(version: EntriesQuery["version"]) {
  return version === "published" ? "published_revision" : "revision";
}

function matchingEntries({ db, tenantId }: Tenant, query: EntriesFilter) {
  const { type, status, slug, locale } = query;
  // No live entry is a draft, but Postgres would read every draft to find that.
  if (query.version === "published" && status === "draft") return null;
  const shown = shownRevision(query.version);
  let matching = db
    .selectFrom("entries")
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom("entry_revisions")
          .select(["entry_revisions.slug as shown_slug", "entry_revisions.data as shown_data"])
          .whereRef("entry_revisions.tenant_id", "=", "entries.tenant_id")
          .whereRef("entry_revisions.entry_id", "=", "entries.id")
          .whereRef("entry_revisions.revision", "=", `entries.${shown}`)
          // Keeps the planner from joining by tenant only.
          .limit(1)
          .as("shown"),
      (join) => join.onTrue(),
    )
    .selectAll("entries")
    .select(["shown_slug", "shown_data"])
    .$narrowType<{ shown_slug: NotNull; shown_data: NotNull }>()
    .where("tenant_id", "=", tenantId)
    .$if(shown === "published_revision", (live) => live.where("published_revision", "is not", null));
  if (type !== undefined) matching = matching.where("type", "=", type);
  if (slug !== undefined) {
    matching = matching
      .where(sql<boolean>`entries.id = any(array(${claimantsOf(tenantId, slug)}))`)
      .where("shown_slug", "=", slug);
  }
  if (locale !== undefined) matching = matching.where("locale", "=", locale);
  if (status === "scheduled") matching = matching.where("publish_at", "is not", null);
  else if (status !== undefined) {
    matching = matching
      .where("publish_at", "is", null)
      .where("published_revision", status === "draft" ? "is" : "is not", null);
  }
  return matching;
}

type ShownEntry = NonNullable<ReturnType<typeof matchingEntries>> extends Expression<infer Row> ? Row : never;

async function readPage(
  { db }: Tenant,
  limited: Expression<ShownEntry>,
  { limit, version, order }: { limit: number; version: EntriesQuery["version"]; order?: RawBuilder<unknown> },
): Promise<{ entries: Entry[]; hasMore: boolean }> {
  const shown = shownRevision(version);
  const page = withinBytes(limited, { limit, bytes: bytesOf("shown_data"), ...(order && { order }) });
  const rows = await db.selectFrom(page.as("page")).selectAll().orderBy("page_position").execute();
  const entries = rows.map((row) =>
    entryOf(row, { revision: row[shown] ?? row.revision, slug: row.shown_slug, data: row.shown_data }),
  );
  return { entries, hasMore: rows.at(-1)?.has_more ?? false };
}

/** Few entries: a slug is claimed once for each type and locale. */
function claimantsOf(tenantId: string, slug: string) {
  return sql`select entry_id from entry_slugs where entry_slugs.tenant_id = ${tenantId} and entry_slugs.slug = ${slug}`;
}

/** Newest first, within the bytes of a page. Null if the entry does not exist. */
export async function listRevisions({ db, tenantId }: Tenant, entryId: string, page: PageQuery) {
  const entry = await db
    .selectFrom("entries")
    .select("id")
    .where("tenant_id", "=", tenantId)
    .where("id", "=", entryId)
    .executeTakeFirst();
  if (entry === undefined) return null;
  const newest = db
    .selectFrom("entry_revisions")
    .selectAll()
    .where("tenant_id", "=", tenantId)
    .where("entry_id", "=", entryId)
    .$if(page.cursor !== null, (query) =>
      query.where(
        sql<boolean>`revision < (select revision from entry_revisions
          where tenant_id = ${tenantId} and entry_id = ${entryId} and id = ${page.cursor?.id})`,
      ),
    )
    .orderBy("revision", "desc")
    .limit(page.limit + 1);
  const bounds = { limit: page.limit, bytes: bytesOf("data"), order: sql`revision desc` };
  const rows = await db
    .selectFrom(withinBytes(newest, bounds).as("page"))
    .selectAll()
    .orderBy("page_position")
    .execute();
  const revisions = rows.map(({ id, revision, slug, data, actor, created_at }) => ({
    id,
    createdAt: created_at,
    shown: { revision, slug, data, actor, createdAt: created_at },
  }));
  return { revisions, hasMore: rows.at(-1)?.has_more ?? false };
}
