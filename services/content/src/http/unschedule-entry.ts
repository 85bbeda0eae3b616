// DELETE /v1/entries/{id}/schedule: cancels the schedule; a live revision stays live.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { entryOf } from "../entry/entry.ts";
import { latestRevision, lockEntry } from "../entry/entry-store.ts";
import { unscheduleRevision } from "../entry/schedule-revision.ts";
import type { Content } from "./context.ts";

export function unscheduleEntry({ tenants }: Content) {
  return async ({ principal, id }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const entry = await tenants.of(principal.tenantId).transaction(async (tx) => {
      const before = await lockEntry(tx, id);
      if (before === null) throw notFound("entry");
      const after = await unscheduleRevision(tx, before);
      return entryOf(after, await latestRevision(tx, after));
    });
    return ok(entry);
  };
}
