// DELETE /v1/entries/{id}: deletes an entry with its revisions; `content.entry.deleted`, after `content.entry.unpublished` if it
// is live.
import { type ApiRequest, type ApiResponse, ok } from "@tradepost/http";
import { deleteEntryRows } from "../entry/delete-entry-rows.ts";
import { entryOf } from "../entry/entry.ts";
import { insertEntryEvent } from "../entry/entry-events.ts";
import { latestRevision } from "../entry/entry-store.ts";
import { unpublishRevision } from "../entry/publish-revision.ts";
import { updateEntry } from "../entry/update-entry.ts";
import type { Content } from "./context.ts";
import { lockMatchingEntry } from "./lock-matching-entry.ts";

export function deleteEntry({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const { id, principal } = request;
    await tenants.of(principal.tenantId).transaction(async (tx) => {
      const entry = await lockMatchingEntry(tx, request);
      const before = entry.published_revision === null ? entry : await unpublishRevision(tx, entry, request);
      const last = await updateEntry(tx, before, {});
      const deleted = entryOf(last, await latestRevision(tx, last));
      await insertEntryEvent(tx, "content.entry.deleted", deleted, request);
      await deleteEntryRows(tx, id);
    });
    onCommit();
    return ok({ id, deleted: true });
  };
}
