// PATCH /v1/entries/{id}: what is named changes, null takes away, the rest stays. A new revision where anything really
// changes; never a publication.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { holdContentType } from "../content-type/content-type-store.ts";
import { withChanges } from "../entry/entry-data.ts";
import { lockEntry } from "../entry/entry-store.ts";
import { judgeChange } from "../entry/judge-draft.ts";
import { changeEntry as change, latestOf } from "../entry/write-entry.ts";
import type { Content } from "./context.ts";

export function changeEntry({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<unknown, undefined>): Promise<ApiResponse> => {
    const entry = await tenants.of(request.principal.tenantId).transaction(async (within) => {
      const before = await lockEntry(within, request.id);
      const contentType = before && (await holdContentType(within, before.type));
      // A body that no entry could take is 422 whoever's the id is.
      const { slug, data = {} } = judgeChange(request.body, contentType?.fields ?? null);
      if (before === null) throw notFound("entry");
      const latest = await latestOf(within, before);
      return await change(within, before, latest, { slug, data: withChanges(latest.data, data) }, request);
    });
    onCommit();
    return ok(entry);
  };
}
