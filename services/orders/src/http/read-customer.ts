// GET /v1/customers/{id}: one customer.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { findCustomer } from "../customer/customer-store.ts";
import type { Orders } from "./context.ts";

export function readCustomer({ tenants }: Orders) {
  return async ({ principal, id }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const { db, tenantId } = tenants.of(principal.tenantId);
    const customer = await findCustomer(db, tenantId, id);
    if (customer === null) throw notFound("customer");
    return ok(customer);
  };
}
