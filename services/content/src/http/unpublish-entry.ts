// POST /v1/entries/{id}/unpublish: takes the live revision down; the entry is a draft again; `content.entry.unpublished`.
import type { ApiRequest } from "@tradepost/http";
import { insertRecord, withIdempotencyKey } from "@tradepost/idempotency";
import { entryOf } from "../entry/entry.ts";
import { latestRevision } from "../entry/entry-store.ts";
import { unpublishRevision } from "../entry/publish-revision.ts";
import type { Content } from "./context.ts";
import { entryResponse } from "./entry-response.ts";
import { lockMatchingEntry } from "./lock-matching-entry.ts";

export function unpublishEntry({ tenants, onCommit }: Content) {
  return withIdempotencyKey(tenants, async (tenant, request: ApiRequest<undefined, undefined>) => {
    const response = await tenant.transaction(async (tx) => {
      const before = await lockMatchingEntry(tx, request);
      const after = await unpublishRevision(tx, before, request);
      const changed = entryResponse(entryOf(after, await latestRevision(tx, after)));
      await insertRecord(tx, request.idempotencyKey, changed);
      return changed;
    });
    onCommit();
    return response;
  });
}
