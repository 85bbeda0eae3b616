// POST /v1/entries/{id}/schedule: the revision that is the latest now goes live at a time, even if the draft changes until
// then; `content.entry.scheduled` now, `content.entry.published` at that time.
import type { ApiRequest } from "@tradepost/http";
import { insertRecord, withIdempotencyKey } from "@tradepost/idempotency";
import type { ScheduleInput } from "../entry/entry-input.ts";
import { latestRevision } from "../entry/entry-store.ts";
import { scheduleRevision } from "../entry/schedule-revision.ts";
import type { Content } from "./context.ts";
import { entryResponse } from "./entry-response.ts";
import { lockMatchingEntry } from "./lock-matching-entry.ts";

export function scheduleEntry({ tenants, onCommit }: Content) {
  return withIdempotencyKey(tenants, async (tenant, request: ApiRequest<ScheduleInput, undefined>) => {
    const response = await tenant.transaction(async (tx) => {
      const before = await lockMatchingEntry(tx, request);
      const latest = await latestRevision(tx, before);
      const scheduled = await scheduleRevision(tx, before, latest, request.body.publishAt, request);
      const changed = entryResponse(scheduled);
      await insertRecord(tx, request.idempotencyKey, changed);
      return changed;
    });
    onCommit();
    return response;
  });
}
