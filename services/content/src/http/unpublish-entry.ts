// POST /v1/entries/{id}/unpublish: takes the live revision down; the entry is a draft again; `content.entry.unpublished`.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { entryOf } from "../entry/entry.ts";
import { latestRevision, lockEntry } from "../entry/entry-store.ts";
import { unpublishRevision } from "../entry/publish-revision.ts";
import type { Content } from "./context.ts";

export function unpublishEntry({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const entry = await tenants.of(request.principal.tenantId).transaction(async (tx) => {
      const before = await lockEntry(tx, request.id);
      if (before === null) throw notFound("entry");
      const after = await unpublishRevision(tx, before, request);
      return entryOf(after, await latestRevision(tx, after));
    });
    onCommit();
    return ok(entry);
  };
}
