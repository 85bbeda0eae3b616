// POST /v1/entries: creates a draft; `content.entry.created` and `content.revision.created`.
import type { ApiRequest } from "@tradepost/http";
import { insertRecord, withIdempotencyKey } from "@tradepost/idempotency";
import { lockContentType } from "../content-type/content-type-store.ts";
import type { DeferredBody } from "../deferred-body.ts";
import type { EntryInput } from "../entry/entry-input.ts";
import { validateNewEntry } from "../entry/validate-draft.ts";
import { createDraft } from "../entry/write-draft.ts";
import type { Content } from "./context.ts";
import { createdEntryResponse } from "./entry-response.ts";

export function createEntry({ tenants, onCommit }: Content) {
  return withIdempotencyKey(
    tenants,
    async (tenant, request: ApiRequest<DeferredBody<EntryInput>, undefined>) => {
      const response = await tenant.transaction(async (tx) => {
        const { input, contentType } = await validateNewEntry(request.body, (slug) =>
          lockContentType(tx, slug),
        );
        const created = createdEntryResponse(await createDraft(tx, contentType, input, request));
        await insertRecord(tx, request.idempotencyKey, created);
        return created;
      });
      onCommit();
      return response;
    },
  );
}
