// POST /v1/entries/{id}/revisions/{n}/restore: an old revision brought back as a new one, as a change would.
import { ApiError, type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { holdContentType } from "../content-type/content-type-store.ts";
import { dataFaults } from "../entry/entry-data.ts";
import { findRevision, lockEntry } from "../entry/entry-store.ts";
import { changeEntry, latestOf } from "../entry/write-entry.ts";
import { type Content, revisionNumber } from "./context.ts";

export function restoreRevision({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const { id, params, principal } = request;
    const entry = await tenants.of(principal.tenantId).transaction(async (within) => {
      const before = await lockEntry(within, id);
      const number = revisionNumber(params.n ?? "");
      const old = before && number && (await findRevision(within, id, number));
      if (!before || !old) throw notFound(before ? "revision" : "entry");
      const contentType = await holdContentType(within, before.type);
      const [fault] = dataFaults(old.data, contentType?.fields ?? [], { isToBeWhole: false });
      if (fault !== undefined) {
        throw new ApiError("conflict", `Its content type has changed since: ${fault.path} ${fault.message}.`);
      }
      return await changeEntry(within, before, await latestOf(within, before), old, request);
    });
    onCommit();
    return ok(entry);
  };
}
