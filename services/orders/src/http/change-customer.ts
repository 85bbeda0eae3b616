// PATCH /v1/customers/{id}: changes a customer; `null` removes a field.
import type { ApiRequest, ApiResponse } from "@tradepost/http";
import type { CustomerChange } from "../customer/customer-input.ts";
import { customerResponse } from "../customer/customer-resource.ts";
import * as customer from "../customer/save-customer.ts";
import type { Orders } from "./context.ts";

export function changeCustomer({ tenants }: Orders) {
  return async (request: ApiRequest<CustomerChange, undefined>): Promise<ApiResponse> => {
    const { principal, id, body, raw } = request;
    const tenant = tenants.of(principal.tenantId);
    const ifMatch = raw.headers["if-match"];
    return customerResponse(await customer.changeCustomer(tenant, id, body, ifMatch, request));
  };
}
