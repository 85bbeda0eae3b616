// POST /v1/customers: creates a customer.
import type { ApiRequest } from "@tradepost/http";
import { insertRecord, withIdempotencyKey } from "@tradepost/idempotency";
import type { CustomerInput } from "../customer/customer-input.ts";
import { createdResponse } from "../customer/customer-resource.ts";
import * as customer from "../customer/save-customer.ts";
import type { Orders } from "./context.ts";

export function createCustomer({ tenants }: Orders) {
  return withIdempotencyKey(tenants, (tenant, request: ApiRequest<CustomerInput, undefined>) =>
    tenant.transaction(async (tx) => {
      const response = createdResponse(await customer.createCustomer(tx, request.body, request));
      await insertRecord(tx, request.idempotencyKey, response);
      return response;
    }),
  );
}
