// POST /v1/entries/{id}/unpublish: taken down, a draft again; `content.entry.unpublished`.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { entryOf } from "../entry/entry.ts";
import { lockEntry } from "../entry/entry-store.ts";
import { unpublishEntry as unpublish } from "../entry/publish-entry.ts";
import { latestOf } from "../entry/write-entry.ts";
import type { Content } from "./context.ts";

export function unpublishEntry({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const entry = await tenants.of(request.principal.tenantId).transaction(async (within) => {
      const before = await lockEntry(within, request.id);
      if (before === null) throw notFound("entry");
      const after = await unpublish(within, before, request);
      return entryOf(after, await latestOf(within, after));
    });
    onCommit();
    return ok(entry);
  };
}
