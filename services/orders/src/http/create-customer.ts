// POST /v1/customers: a new customer of the tenant.
import { created } from "@tradepost/http";
import type { CustomerInput } from "../customer/customer-input.ts";
import { insertCustomer } from "../customer/customer-store.ts";
import { once } from "../idempotency/once.ts";
import { insertRecord } from "../idempotency/record-store.ts";
import type { Orders } from "./context.ts";

export function createCustomer({ tenants }: Orders) {
  return once<CustomerInput>(tenants, async (tenant, { body, idempotencyKey }) =>
    tenant.transaction(async (within) => {
      const customer = await insertCustomer(within.db, tenant.tenantId, body);
      const answer = created(customer, `/v1/customers/${customer.id}`);
      if (idempotencyKey !== null) await insertRecord(within, idempotencyKey, answer);
      return answer;
    }),
  );
}
