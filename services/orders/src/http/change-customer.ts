// PATCH /v1/customers/{id}: changes a customer; `null` removes a field.
import type { ApiRequest, ApiResponse } from "@tradepost/http";
import type { CustomerChange } from "../customer/customer-input.ts";
import { customerResponse } from "../customer/customer-resource.ts";
import * as customer from "../customer/save-customer.ts";
import type { Orders } from "./context.ts";

export function changeCustomer({ tenants }: Orders) {
  return async ({
    principal,
    id,
    body,
    raw,
  }: ApiRequest<CustomerChange, undefined>): Promise<ApiResponse> => {
    const tenant = tenants.of(principal.tenantId);
    return customerResponse(await customer.changeCustomer(tenant, id, body, raw.headers["if-match"]));
  };
}
