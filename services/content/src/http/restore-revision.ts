// POST /v1/entries/{id}/revisions/{n}/restore: adds a revision with the slug and data of an old one;
// `content.entry.updated` and `content.revision.created`.
import { ApiError, type ApiRequest, type ApiResponse, notFound, requireMatch } from "@tradepost/http";
import { lockContentType } from "../content-type/content-type-store.ts";
import { dataFaults } from "../content-type/data-faults.ts";
import { revisionNumber } from "../entry/entry-input.ts";
import { findRevision, latestRevision, lockEntry } from "../entry/entry-store.ts";
import { changeDraft } from "../entry/write-draft.ts";
import type { Content } from "./context.ts";
import { entryResponse } from "./entry-response.ts";

export function restoreRevision({ tenants, onCommit }: Content) {
  return async (request: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const { id, params, principal } = request;
    const entry = await tenants.of(principal.tenantId).transaction(async (tx) => {
      const before = await lockEntry(tx, id);
      const number = revisionNumber(params.n ?? "");
      const old = before && number && (await findRevision(tx, id, number));
      if (!before || !old) throw notFound(before ? "revision" : "entry");
      requireMatch(request.raw.headers["if-match"], before.version);
      const contentType = await lockContentType(tx, before.type);
      const [fault] = dataFaults(old.data, contentType?.fields ?? [], { mustBeComplete: false });
      if (fault !== undefined) {
        throw new ApiError(
          "conflict",
          `The content type has changed since then: ${fault.path} ${fault.message}.`,
        );
      }
      return await changeDraft(tx, before, await latestRevision(tx, before), old, request);
    });
    onCommit();
    return entryResponse(entry);
  };
}
