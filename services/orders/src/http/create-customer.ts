// POST /v1/customers: a new customer of the tenant.
import { type Answer, type ApiRequest, created, jsonObject, text } from "@tradepost/http";
import { z } from "zod";
import { insertCustomer } from "../customer/customer-store.ts";
import type { Orders } from "./context.ts";

export const customerInput = z.strictObject({
  name: text(500),
  email: z.email("must be an e-mail address").max(320, "must be at most 320 characters").optional(),
  phone: text(50).optional(),
  externalId: text(255).optional(),
  metadata: jsonObject.optional(),
});

export function createCustomer({ db }: Orders) {
  return async ({
    principal,
    body,
  }: ApiRequest<z.output<typeof customerInput>, undefined>): Promise<Answer> => {
    const customer = await insertCustomer(db, principal.tenantId, body);
    return created(customer, `/v1/customers/${customer.id}`);
  };
}
