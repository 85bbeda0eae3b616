// DELETE /v1/entries/{id}/schedule: nothing goes live later; what is live stays so.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { entryOf } from "../entry/entry.ts";
import { lockEntry } from "../entry/entry-store.ts";
import { unscheduleEntry as unschedule } from "../entry/schedule-entry.ts";
import { latestOf } from "../entry/write-entry.ts";
import type { Content } from "./context.ts";

export function unscheduleEntry({ tenants }: Content) {
  return async ({ principal, id }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const entry = await tenants.of(principal.tenantId).transaction(async (within) => {
      const before = await lockEntry(within, id);
      if (before === null) throw notFound("entry");
      const after = await unschedule(within, before);
      return entryOf(after, await latestOf(within, after));
    });
    return ok(entry);
  };
}
