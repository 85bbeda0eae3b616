// PATCH /v1/entries/{id}: merges the request into the draft; `null` removes a field. Adds a revision if anything changes
// (`content.entry.updated` and `content.revision.created`), and never publishes it.
import { type ApiRequest, type ApiResponse, notFound, requireMatch } from "@tradepost/http";
import { lockContentType } from "../content-type/content-type-store.ts";
import type { DeferredBody } from "../deferred-body.ts";
import { withChanges } from "../entry/entry-data.ts";
import type { EntryChange } from "../entry/entry-input.ts";
import { latestRevision, lockEntry } from "../entry/entry-store.ts";
import { validateEntryChange } from "../entry/validate-draft.ts";
import { changeDraft } from "../entry/write-draft.ts";
import type { Content } from "./context.ts";
import { entryResponse } from "./entry-response.ts";

export function changeEntry({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<DeferredBody<EntryChange>, undefined>): Promise<ApiResponse> => {
    const entry = await tenants.of(request.principal.tenantId).transaction(async (tx) => {
      const before = await lockEntry(tx, request.id);
      const contentType = before && (await lockContentType(tx, before.type));
      // A body that is invalid for every entry is 422, also for an entry that does not exist.
      const { slug, data = {} } = validateEntryChange(request.body, contentType?.fields ?? null);
      if (before === null) throw notFound("entry");
      requireMatch(request.raw.headers["if-match"], before.version);
      const latest = await latestRevision(tx, before);
      return await changeDraft(tx, before, latest, { slug, data: withChanges(latest.data, data) }, request);
    });
    onCommit();
    return entryResponse(entry);
  };
}
