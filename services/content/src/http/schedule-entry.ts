// POST /v1/entries/{id}/schedule: the latest revision goes live later, whatever is written until then;
// `content.entry.scheduled` now, `content.entry.published` then.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import type { z } from "zod";
import type { scheduleInput } from "../entry/entry-input.ts";
import { lockEntry } from "../entry/entry-store.ts";
import { scheduleRevision } from "../entry/schedule-entry.ts";
import { latestOf } from "../entry/write-entry.ts";
import type { Content } from "./context.ts";

export function scheduleEntry({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<z.output<typeof scheduleInput>, undefined>): Promise<ApiResponse> => {
    const entry = await tenants.of(request.principal.tenantId).transaction(async (within) => {
      const before = await lockEntry(within, request.id);
      if (before === null) throw notFound("entry");
      const latest = await latestOf(within, before);
      return await scheduleRevision(within, before, latest, request.body.publishAt, request);
    });
    onCommit();
    return ok(entry);
  };
}
