// GET /v1/customers: lists the tenant's customers, newest first, filtered by externalId, e-mail, ids and time of change.
import { type ApiRequest, type ApiResponse, cursorPage, listed } from "@tradepost/http";
import type { CustomersQuery } from "../customer/customer-input.ts";
import * as store from "../customer/customer-store.ts";
import type { Orders } from "./context.ts";

export function listCustomers({ tenants }: Orders) {
  return async ({ principal, query }: ApiRequest<undefined, CustomersQuery>): Promise<ApiResponse> => {
    const { customers, hasMore } = await store.listCustomers(tenants.of(principal.tenantId), query);
    return listed(cursorPage(customers, query.limit, { hasMore }));
  };
}
