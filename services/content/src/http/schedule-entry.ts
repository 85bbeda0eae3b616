// POST /v1/entries/{id}/schedule: the revision that is the latest now goes live at a time, even if the draft changes until
// then; `content.entry.scheduled` now, `content.entry.published` at that time.
import type { ApiRequest, ApiResponse } from "@tradepost/http";
import type { ScheduleInput } from "../entry/entry-input.ts";
import { latestRevision } from "../entry/entry-store.ts";
import { scheduleRevision } from "../entry/schedule-revision.ts";
import type { Content } from "./context.ts";
import { entryResponse } from "./entry-response.ts";
import { lockMatchingEntry } from "./lock-matching-entry.ts";

export function scheduleEntry({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<ScheduleInput, undefined>): Promise<ApiResponse> => {
    const entry = await tenants.of(request.principal.tenantId).transaction(async (tx) => {
      const before = await lockMatchingEntry(tx, request);
      const latest = await latestRevision(tx, before);
      return await scheduleRevision(tx, before, latest, request.body.publishAt, request);
    });
    onCommit();
    return entryResponse(entry);
  };
}
