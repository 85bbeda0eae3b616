// DELETE /v1/entries/{id}/schedule: cancels the schedule; a live revision stays live.
import type { ApiRequest, ApiResponse } from "@tradepost/http";
import { entryOf } from "../entry/entry.ts";
import { latestRevision } from "../entry/entry-store.ts";
import { unscheduleRevision } from "../entry/schedule-revision.ts";
import type { Content } from "./context.ts";
import { entryResponse } from "./entry-response.ts";
import { lockMatchingEntry } from "./lock-matching-entry.ts";

export function unscheduleEntry({ tenants }: Content) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const entry = await tenants.of(request.principal.tenantId).transaction(async (tx) => {
      const before = await lockMatchingEntry(tx, request);
      const after = await unscheduleRevision(tx, before);
      return entryOf(after, await latestRevision(tx, after));
    });
    return entryResponse(entry);
  };
}
