// DELETE /v1/entries/{id}: gone with its revisions, live or not; `content.entry.deleted`.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { entryOf } from "../entry/entry.ts";
import { lockEntry } from "../entry/entry-store.ts";
import { removeEntry } from "../entry/remove-entry.ts";
import { latestOf, tell } from "../entry/write-entry.ts";
import type { Content } from "./context.ts";

export function deleteEntry({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const { id, principal } = request;
    await tenants.of(principal.tenantId).transaction(async (within) => {
      const entry = await lockEntry(within, id);
      if (entry === null) throw notFound("entry");
      await tell(within, "content.entry.deleted", entryOf(entry, await latestOf(within, entry)), request);
      await removeEntry(within, id);
    });
    onCommit();
    return ok({ id, deleted: true });
  };
}
