// POST /v1/entries/{id}/schedule: the revision that is the latest now goes live at a time, even if the draft changes until
// then; `content.entry.scheduled` now, `content.entry.published` at that time.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import type { ScheduleInput } from "../entry/entry-input.ts";
import { latestRevision, lockEntry } from "../entry/entry-store.ts";
import { scheduleRevision } from "../entry/schedule-revision.ts";
import type { Content } from "./context.ts";

export function scheduleEntry({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<ScheduleInput, undefined>): Promise<ApiResponse> => {
    const entry = await tenants.of(request.principal.tenantId).transaction(async (tx) => {
      const before = await lockEntry(tx, request.id);
      if (before === null) throw notFound("entry");
      const latest = await latestRevision(tx, before);
      return await scheduleRevision(tx, before, latest, request.body.publishAt, request);
    });
    onCommit();
    return ok(entry);
  };
}
