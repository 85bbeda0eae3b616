// POST /v1/entries/{id}/publish: validates the latest revision and publishes it; `content.entry.published`.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { latestRevision, lockEntry } from "../entry/entry-store.ts";
import { publishRevision } from "../entry/publish-revision.ts";
import type { Content } from "./context.ts";

export function publishEntry({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const entry = await tenants.of(request.principal.tenantId).transaction(async (tx) => {
      const before = await lockEntry(tx, request.id);
      if (before === null) throw notFound("entry");
      return await publishRevision(tx, before, await latestRevision(tx, before), request);
    });
    onCommit();
    return ok(entry);
  };
}
