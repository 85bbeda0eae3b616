// POST /v1/entries/{id}/publish: validates the latest revision and publishes it; `content.entry.published`.
import type { ApiRequest, ApiResponse } from "@tradepost/http";
import { latestRevision } from "../entry/entry-store.ts";
import { publishRevision } from "../entry/publish-revision.ts";
import type { Content } from "./context.ts";
import { entryResponse } from "./entry-response.ts";
import { lockMatchingEntry } from "./lock-matching-entry.ts";

export function publishEntry({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const entry = await tenants.of(request.principal.tenantId).transaction(async (tx) => {
      const before = await lockMatchingEntry(tx, request);
      return await publishRevision(tx, before, await latestRevision(tx, before), request);
    });
    onCommit();
    return entryResponse(entry);
  };
}
