// GET /v1/customers: the tenant's customers, newest first; the one with an externalId, where that is asked for.
import { type ApiRequest, type ApiResponse, cursorPage, listed, pageQuery } from "@tradepost/http";
import { z } from "zod";
import * as store from "../customer/customer-store.ts";
import type { Orders } from "./context.ts";

export const customersQuery = z.strictObject({ ...pageQuery, externalId: z.string().optional() });

export function listCustomers({ tenants }: Orders) {
  return async ({
    principal,
    query,
  }: ApiRequest<undefined, z.output<typeof customersQuery>>): Promise<ApiResponse> => {
    const { db, tenantId } = tenants.of(principal.tenantId);
    return listed(cursorPage(await store.listCustomers(db, tenantId, query), query.limit));
  };
}
