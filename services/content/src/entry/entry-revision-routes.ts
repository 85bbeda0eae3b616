// The routes of an entry's revisions (interface §5).
import { actor, entry } from "@tradepost/event-catalog";
import {
  ApiError,
  type ApiRequest,
  cursorPage,
  data,
  listed,
  notFound,
  page,
  pageOnly,
  required,
  requireMatch,
  route,
} from "@tradepost/http";
import { withIdempotencyKey } from "@tradepost/idempotency";
import { z } from "zod";
import { dataFaults, lockContentType } from "../content-type/content-type.ts";
import { READ, WRITE } from "../route-parts.ts";
import type { Tenant } from "../tables.ts";
import { revisionNumber } from "./entry-input.ts";
import { recorded } from "./entry-publication-routes.ts";
import type { EntryContext } from "./entry-routes.ts";
import { findRevision, latestRevision, listRevisions, lockEntry } from "./entry-store.ts";
import { changeDraft } from "./write-draft.ts";

const tag = "Entries";

const revision = z
  .strictObject({
    revision: z.int().positive().describe("Counts the changes of slug and data, from 1."),
    slug: z.string(),
    data: z.record(z.string(), z.unknown()).describe("The fields of the content type."),
    actor,
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Revision", description: "A revision of an entry, with its author." });

const list = ({ tenants }: EntryContext) =>
  route("GET /v1/entries/:id/revisions", {
    ...READ,
    query: pageOnly,
    about: {
      id: "listRevisions",
      tag,
      summary: "List the revisions of an entry, newest first",
      responses: { 200: page(revision) },
    },
    handle: async ({ principal, id, query }) => {
      const page = required(await listRevisions(tenants.of(principal.tenantId), id, query), "entry");
      const { revisions, hasMore } = page;
      return listed(cursorPage(revisions, query.limit, { hasMore, shown: ({ shown }) => shown }));
    },
  });

const restore = ({ tenants, onCommit }: EntryContext) =>
  route("POST /v1/entries/:id/revisions/:n/restore", {
    ...WRITE,
    isIdempotent: true,
    about: {
      id: "restoreRevision",
      tag,
      summary: "Restore an old revision",
      params: { n: z.int().min(1).describe("The number of the revision.") },
      description:
        "Its slug and data become a new revision; it is not published. `conflict`: its content type no longer allows them, or another entry has the slug.",
      responses: { 200: data(entry) },
      errors: ["conflict"],
      etag: true,
      ifMatch: true,
      emits: ["content.entry.updated", "content.revision.created"],
    },
    handle: withIdempotencyKey(tenants, async (tenant, request: ApiRequest<undefined, undefined>) => {
      const response = await tenant.transaction(async (tx) => {
        const { before, after } = await restoreRevision(tx, request);
        return await recorded(tx, request, before, after);
      });
      onCommit();
      return response;
    }),
  });

async function restoreRevision(tx: Tenant, request: ApiRequest<undefined, undefined>) {
  const { id, params, raw } = request;
  const before = await lockEntry(tx, id);
  const number = revisionNumber(params.n ?? "");
  const old = before && number && (await findRevision(tx, id, number));
  if (!before || !old) throw notFound(before ? "revision" : "entry");
  requireMatch(raw.headers["if-match"], before.version);
  const contentType = await lockContentType(tx, before.type);
  const [fault] = dataFaults(old.data, contentType?.fields ?? [], { mustBeComplete: false });
  if (fault !== undefined) {
    throw new ApiError(
      "conflict",
      `The content type has changed since then: ${fault.path} ${fault.message}.`,
    );
  }
  return { before, after: await changeDraft(tx, before, await latestRevision(tx, before), old, request) };
}

export const revisionRoutes = [list, restore];
