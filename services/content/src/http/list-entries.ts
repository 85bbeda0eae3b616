// GET /v1/entries: lists the latest revision of each entry, or the live revisions only, newest first, filtered by type,
// status, slug and locale.
import { type ApiRequest, type ApiResponse, cursorPage, listed } from "@tradepost/http";
import type { EntriesQuery } from "../entry/entry-input.ts";
import * as store from "../entry/entry-store.ts";
import type { Content } from "./context.ts";

export function listEntries({ tenants }: Content) {
  return async ({ principal, query }: ApiRequest<undefined, EntriesQuery>): Promise<ApiResponse> => {
    const { entries, hasMore } = await store.listEntries(tenants.of(principal.tenantId), query);
    return listed(cursorPage(entries, query.limit, { hasMore }));
  };
}
