// GET /v1/entries/{id}/revisions: lists every revision of an entry with its author, newest first.
import {
  type ApiRequest,
  type ApiResponse,
  cursorPage,
  listed,
  notFound,
  type PageQuery,
} from "@tradepost/http";
import * as store from "../entry/entry-store.ts";
import type { Content } from "./context.ts";

export function listRevisions({ tenants }: Content) {
  return async ({ principal, id, query }: ApiRequest<undefined, PageQuery>): Promise<ApiResponse> => {
    const page = await store.listRevisions(tenants.of(principal.tenantId), id, query);
    if (page === null) throw notFound("entry");
    const { revisions, hasMore } = page;
    return listed(cursorPage(revisions, query.limit, { hasMore, shown: ({ shown }) => shown }));
  };
}
