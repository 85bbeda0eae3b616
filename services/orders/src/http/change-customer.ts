// PATCH /v1/customers/{id}: changes a customer; `null` removes a field.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import type { CustomerChange } from "../customer/customer-input.ts";
import { updateCustomer } from "../customer/customer-store.ts";
import type { Orders } from "./context.ts";

export function changeCustomer({ tenants }: Orders) {
  return async ({ principal, id, body }: ApiRequest<CustomerChange, undefined>): Promise<ApiResponse> => {
    const customer = await updateCustomer(tenants.of(principal.tenantId), id, body);
    if (customer === null) throw notFound("customer");
    return ok(customer);
  };
}
