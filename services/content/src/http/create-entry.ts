// POST /v1/entries: a new draft; `content.entry.created` and `content.revision.created`.
import { type ApiRequest, type ApiResponse, created } from "@tradepost/http";
import { holdContentType } from "../content-type/content-type-store.ts";
import { judgeNew } from "../entry/judge-draft.ts";
import { createEntry as create } from "../entry/write-entry.ts";
import type { Content } from "./context.ts";

export function createEntry({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<unknown, undefined>): Promise<ApiResponse> => {
    const entry = await tenants.of(request.principal.tenantId).transaction(async (within) => {
      const { input, contentType } = await judgeNew(request.body, (slug) => holdContentType(within, slug));
      return await create(within, contentType, input, request);
    });
    onCommit();
    return created(entry, `/v1/entries/${entry.id}`);
  };
}
