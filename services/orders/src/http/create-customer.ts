// POST /v1/customers: creates a customer.
import { created } from "@tradepost/http";
import type { CustomerInput } from "../customer/customer-input.ts";
import { insertCustomer } from "../customer/customer-store.ts";
import { insertRecord } from "../idempotency/record-store.ts";
import { withIdempotencyKey } from "../idempotency/with-idempotency-key.ts";
import type { Orders } from "./context.ts";

export function createCustomer({ tenants }: Orders) {
  return withIdempotencyKey<CustomerInput>(tenants, (tenant, { body, idempotencyKey }) =>
    tenant.transaction(async (tx) => {
      const customer = await insertCustomer(tx, body);
      const response = created(customer, `/v1/customers/${customer.id}`);
      if (idempotencyKey !== null) await insertRecord(tx, idempotencyKey, response);
      return response;
    }),
  );
}
