// POST /v1/entries/{id}/publish: validates the latest revision and publishes it; `content.entry.published`.
import type { ApiRequest } from "@tradepost/http";
import { insertRecord, withIdempotencyKey } from "@tradepost/idempotency";
import { latestRevision } from "../entry/entry-store.ts";
import { publishRevision } from "../entry/publish-revision.ts";
import type { Content } from "./context.ts";
import { entryResponse } from "./entry-response.ts";
import { lockMatchingEntry } from "./lock-matching-entry.ts";

export function publishEntry({ tenants, onCommit }: Content) {
  return withIdempotencyKey(tenants, async (tenant, request: ApiRequest<undefined, undefined>) => {
    const response = await tenant.transaction(async (tx) => {
      const before = await lockMatchingEntry(tx, request);
      const published = await publishRevision(tx, before, await latestRevision(tx, before), request);
      const changed = entryResponse(published);
      await insertRecord(tx, request.idempotencyKey, changed);
      return changed;
    });
    onCommit();
    return response;
  });
}
