// POST /v1/entries: creates a draft; `content.entry.created` and `content.revision.created`.
import type { ApiRequest, ApiResponse } from "@tradepost/http";
import { lockContentType } from "../content-type/content-type-store.ts";
import type { DeferredBody } from "../deferred-body.ts";
import type { EntryInput } from "../entry/entry-input.ts";
import { validateNewEntry } from "../entry/validate-draft.ts";
import { createDraft } from "../entry/write-draft.ts";
import type { Content } from "./context.ts";
import { createdEntryResponse } from "./entry-response.ts";

export function createEntry({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<DeferredBody<EntryInput>, undefined>): Promise<ApiResponse> => {
    const entry = await tenants.of(request.principal.tenantId).transaction(async (tx) => {
      const { input, contentType } = await validateNewEntry(request.body, (slug) =>
        lockContentType(tx, slug),
      );
      return await createDraft(tx, contentType, input, request);
    });
    onCommit();
    return createdEntryResponse(entry);
  };
}
