// POST /v1/entries/{id}/revisions/{n}/restore: adds a revision with the slug and data of an old one;
// `content.entry.updated` and `content.revision.created`.
import { ApiError, type ApiRequest, notFound, requireMatch } from "@tradepost/http";
import { insertRecord, withIdempotencyKey } from "@tradepost/idempotency";
import type { Tenant } from "@tradepost/postgres";
import { lockContentType } from "../content-type/content-type-store.ts";
import { dataFaults } from "../content-type/data-faults.ts";
import type { Entry } from "../entry/entry.ts";
import { revisionNumber } from "../entry/entry-input.ts";
import { findRevision, latestRevision, lockEntry } from "../entry/entry-store.ts";
import { changeDraft } from "../entry/write-draft.ts";
import type { Tables } from "../tables.ts";
import type { Content } from "./context.ts";
import { entryResponse } from "./entry-response.ts";

export function restoreRevision({ tenants, onCommit }: Content) {
  return withIdempotencyKey(tenants, async (tenant, request: ApiRequest<undefined, undefined>) => {
    const response = await tenant.transaction(async (tx) => {
      const restored = entryResponse(await restore(tx, request));
      await insertRecord(tx, request.idempotencyKey, restored);
      return restored;
    });
    onCommit();
    return response;
  });
}

async function restore(tx: Tenant<Tables>, request: ApiRequest<undefined, undefined>): Promise<Entry> {
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
  return await changeDraft(tx, before, await latestRevision(tx, before), old, request);
}
