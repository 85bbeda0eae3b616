// GET /v1/entries/{id}: reads an entry's draft, its live revision, or the revision with the given number.
import { type ApiRequest, type ApiResponse, notFound } from "@tradepost/http";
import type { EntryQuery } from "../entry/entry-input.ts";
import { findEntry } from "../entry/entry-store.ts";
import type { Content } from "./context.ts";
import { entryResponse } from "./entry-response.ts";

export function readEntry({ tenants }: Content) {
  return async ({ principal, id, query }: ApiRequest<undefined, EntryQuery>): Promise<ApiResponse> => {
    const entry = await findEntry(tenants.of(principal.tenantId), id, query.version);
    if (entry === null) throw notFound("entry");
    return entryResponse(entry);
  };
}
