// GET /v1/customers/{id}: reads a customer.
import { type ApiRequest, type ApiResponse, notFound } from "@tradepost/http";
import { customerResponse } from "../customer/customer-resource.ts";
import { findCustomer } from "../customer/customer-store.ts";
import type { Orders } from "./context.ts";

export function readCustomer({ tenants }: Orders) {
  return async ({ principal, id }: ApiRequest<undefined, undefined>): Promise<ApiResponse> => {
    const customer = await findCustomer(tenants.of(principal.tenantId), { id });
    if (customer === null) throw notFound("customer");
    return customerResponse(customer);
  };
}
