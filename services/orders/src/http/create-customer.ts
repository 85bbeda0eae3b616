// POST /v1/customers: creates a customer.

import { type ApiRequest, created } from "@tradepost/http";
import { insertRecord, withIdempotencyKey } from "@tradepost/idempotency";
import type { CustomerInput } from "../customer/customer-input.ts";
import { insertCustomer } from "../customer/customer-store.ts";
import type { Orders } from "./context.ts";

export function createCustomer({ tenants }: Orders) {
  return withIdempotencyKey(
    tenants,
    (tenant, { body, idempotencyKey }: ApiRequest<CustomerInput, undefined>) =>
      tenant.transaction(async (tx) => {
        const customer = await insertCustomer(tx, body);
        const response = created(customer, `/v1/customers/${customer.id}`);
        await insertRecord(tx, idempotencyKey, response);
        return response;
      }),
  );
}
