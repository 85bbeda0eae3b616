// POST /v1/entries/{id}/unpublish: takes the live revision down; the entry is a draft again; `content.entry.unpublished`.
import type { ApiRequest, ApiResponse } from "@tradepost/http";
import { entryOf } from "../entry/entry.ts";
import { latestRevision } from "../entry/entry-store.ts";
import { unpublishRevision } from "../entry/publish-revision.ts";
import type { Content } from "./context.ts";
import { entryResponse } from "./entry-response.ts";
import { lockMatchingEntry } from "./lock-matching-entry.ts";

export function unpublishEntry({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const entry = await tenants.of(request.principal.tenantId).transaction(async (tx) => {
      const before = await lockMatchingEntry(tx, request);
      const after = await unpublishRevision(tx, before, request);
      return entryOf(after, await latestRevision(tx, after));
    });
    onCommit();
    return entryResponse(entry);
  };
}
