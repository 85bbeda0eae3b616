// POST /v1/entries/{id}/publish: the latest revision goes live, once it is found whole; `content.entry.published`.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { lockEntry } from "../entry/entry-store.ts";
import { publishRevision } from "../entry/publish-entry.ts";
import { latestOf } from "../entry/write-entry.ts";
import type { Content } from "./context.ts";

export function publishEntry({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const entry = await tenants.of(request.principal.tenantId).transaction(async (within) => {
      const before = await lockEntry(within, request.id);
      if (before === null) throw notFound("entry");
      return await publishRevision(within, before, await latestOf(within, before), request);
    });
    onCommit();
    return ok(entry);
  };
}
