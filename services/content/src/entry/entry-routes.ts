// The routes that create, read, change and delete entries (interface §5).
import { entry } from "@tradepost/event-catalog";
import {
  type ApiRequest,
  cursorPage,
  data,
  exporter,
  file,
  listed,
  notFound,
  ok,
  page,
  required,
  requireMatch,
  route,
} from "@tradepost/http";
import { recording } from "@tradepost/idempotency";
import { withoutQuota } from "@tradepost/messaging";
import type { TenantDatabases } from "@tradepost/postgres";
import { COUNT_FIELDS } from "@tradepost/search";
import { lockContentType } from "../content-type/content-type.ts";
import { type DeferredBody, deferred, deleted, READ, WRITE } from "../route-parts.ts";
import type { Tables } from "../tables.ts";
import { withChanges } from "./entry-data.ts";
import {
  type EntryChange,
  type EntryInput,
  entriesExportQuery,
  entriesQuery,
  entryChange,
  entryInput,
  entryQuery,
} from "./entry-input.ts";
import { createdEntryResponse, type Entry, entryOf, entryResponse } from "./entry-resource.ts";
import {
  countEntries,
  findEntry,
  latestRevision,
  listEntries,
  lockEntry,
  lockMatchingEntry,
  readEntriesToExport,
} from "./entry-store.ts";
import { unpublishRevision } from "./publish-revision.ts";
import { changeDraft, createDraft, validateEntryChange, validateNewEntry } from "./write-draft.ts";
import { deleteEntryRows, insertEntryEvent, updateEntry } from "./write-entry.ts";

export interface EntryContext {
  readonly tenants: TenantDatabases<Tables>;
  readonly onCommit: () => void;
}

const tag = "Entries";

const create = (context: EntryContext) =>
  route("POST /v1/entries", {
    ...WRITE,
    isIdempotent: true,
    body: deferred(entryInput),
    about: {
      id: "createEntry",
      tag,
      summary: "Create an entry as a draft",
      description:
        "`data` may hold only fields of the content type, each with a value of its type; a draft may lack required ones. If `slug` is left out, it is made from the first text field. `conflict`: another entry of this type and locale has the slug.",
      body: entryInput,
      responses: { 201: data(entry) },
      location: true,
      errors: ["conflict"],
      etag: true,
      emits: ["content.entry.created", "content.revision.created"],
    },
    handle: recording(context, async (tx, request: ApiRequest<DeferredBody<EntryInput>, undefined>) => {
      const { input, contentType } = await validateNewEntry(request.body, (slug) =>
        lockContentType(tx, slug),
      );
      return createdEntryResponse(await createDraft(tx, contentType, input, request));
    }),
  });

const list = ({ tenants }: EntryContext) =>
  route("GET /v1/entries", {
    ...READ,
    query: entriesQuery,
    about: {
      id: "listEntries",
      tag,
      summary: "List entries, newest first",
      description: "The latest revision of each or, with `version=published`, live entries as they are live.",
      responses: { 200: page(entry, COUNT_FIELDS) },
    },
    handle: async ({ principal, query }) => {
      const tenant = tenants.of(principal.tenantId);
      const { entries, ...found } = await listEntries(tenant, query);
      const counted = query.count ? await countEntries(tenant, query) : {};
      return listed({ ...cursorPage(entries, query.limit, found), ...counted });
    },
  });

const COLUMNS = [
  "id",
  "type",
  "slug",
  "locale",
  "status",
  "hasUnpublishedChanges",
  "revision",
  "publishedRevision",
  "publishedAt",
  "publishAt",
  "data",
  "version",
  "createdAt",
  "updatedAt",
] as const;

const exportAll = ({ tenants }: EntryContext) => {
  const respond = exporter();
  return route("GET /v1/entries/export", {
    ...READ,
    query: entriesExportQuery,
    about: {
      id: "exportEntries",
      tag,
      summary: "Export entries",
      description: "Oldest first, as `GET /v1/orders/export` does. In CSV, `data` is its JSON text.",
      responses: { 200: file("text/csv", "application/x-ndjson") },
    },
    handle: async (request) => {
      const tenant = tenants.of(request.principal.tenantId);
      return await respond(request, {
        name: "entries",
        columns: COLUMNS,
        lines: (entry: Entry) => [COLUMNS.map((column) => entry[column])],
        readPage: (after) => readEntriesToExport(tenant, request.query, after),
        find: (id) => findEntry(tenant, id),
      });
    },
  });
};

const read = ({ tenants }: EntryContext) =>
  route("GET /v1/entries/:id", {
    ...READ,
    query: entryQuery,
    about: {
      id: "getEntry",
      tag,
      summary: "Get an entry",
      responses: { 200: data(entry) },
      etag: true,
    },
    handle: async ({ principal, id, query }) => {
      const entry = required(await findEntry(tenants.of(principal.tenantId), id, query.version), "entry");
      return entryResponse(entry);
    },
  });

const update = (context: EntryContext) =>
  route("PATCH /v1/entries/:id", {
    ...WRITE,
    mergeLevels: 2,
    body: deferred(entryChange),
    about: {
      id: "updateEntry",
      tag,
      summary: "Change an entry's draft",
      description:
        "`data` is merged: a field that is named changes, and `null` removes it. Adds a revision if anything changes, and never publishes it. `conflict`: another entry of this type and locale has the slug.",
      body: entryChange,
      responses: { 200: data(entry) },
      errors: ["conflict"],
      etag: true,
      ifMatch: true,
      emits: ["content.entry.updated", "content.revision.created"],
    },
    handle: recording(context, async (tx, request: ApiRequest<DeferredBody<EntryChange>, undefined>) => {
      const before = await lockEntry(tx, request.id);
      const contentType = before && (await lockContentType(tx, before.type));
      const latest = before && (await latestRevision(tx, before));
      const body = request.bodyFor({ data: latest?.data });
      // A body that is invalid for every entry gets 422, even if the entry does not exist.
      const { slug, data = {} } = validateEntryChange(body, contentType?.fields ?? null);
      if (before === null || latest === null) throw notFound("entry");
      requireMatch(request.raw.headers["if-match"], before.version);
      const change = { slug, data: withChanges(latest.data, data) };
      return entryResponse(await changeDraft(tx, before, latest, change, request));
    }),
  });

const remove = (context: EntryContext) =>
  route("DELETE /v1/entries/:id", {
    ...WRITE,
    about: {
      id: "deleteEntry",
      tag,
      summary: "Delete an entry with its revisions",
      description: "A live entry is unpublished first.",
      responses: { 200: data(deleted) },
      ifMatch: true,
      emits: ["content.entry.unpublished", "content.entry.deleted"],
    },
    handle: recording(context, async (tx, request) => {
      const { id } = request;
      const cause = withoutQuota(request);
      const entry = await lockMatchingEntry(tx, request);
      const before = entry.published_revision === null ? entry : await unpublishRevision(tx, entry, cause);
      const last = await updateEntry(tx, before, {});
      const shown = entryOf(last, await latestRevision(tx, last));
      await insertEntryEvent(tx, "content.entry.deleted", shown, cause);
      await deleteEntryRows(tx, id);
      return ok({ id, deleted: true });
    }),
  });

export const entryRoutes = [create, list, exportAll, read, update, remove];
