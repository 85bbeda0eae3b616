// GET /v1/entries: the tenant's entries as they were last written, newest first, by type, status, slug and locale.
import { type ApiRequest, type ApiResponse, cursorPage, listed, pageQuery } from "@tradepost/http";
import { z } from "zod";
import { entryStatuses } from "../entry/entry.ts";
import { locale } from "../entry/entry-input.ts";
import * as store from "../entry/entry-store.ts";
import type { Content } from "./context.ts";

export const entriesQuery = z.strictObject({
  ...pageQuery,
  type: z.string().max(64).optional(),
  status: z.enum(entryStatuses, `must be one of ${entryStatuses.join(", ")}`).optional(),
  slug: z.string().max(200).optional(),
  locale: locale.optional(),
});

export function listEntries({ tenants }: Content) {
  return async ({
    principal,
    query,
  }: ApiRequest<undefined, z.output<typeof entriesQuery>>): Promise<ApiResponse> =>
    listed(cursorPage(await store.listEntries(tenants.of(principal.tenantId), query), query.limit));
}
