// The customer in events, as in the API.
import { z } from "zod";

export const customer = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    email: z.string().optional(),
    phone: z.string().optional(),
    externalId: z
      .string()
      .optional()
      .describe("The id that another system gave the customer; unique in the tenant"),
    metadata: z.looseObject({}).optional().describe("As it was sent; the platform does not interpret it"),
    version: z.int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    erasedAt: z.iso
      .datetime()
      .optional()
      .describe("Since when the customer's personal data is erased; it can no longer be changed"),
  })
  .meta({ id: "Customer", description: "A customer. A field without a value is left out." });

const schema = z.strictObject({ customer });

const created = {
  id: "0198c5a0-1111-7222-8333-444455556666",
  name: "Ada Lovelace",
  email: "ada@example.com",
  externalId: "crm-1",
  version: 1,
  createdAt: "2026-08-20T09:30:00.000Z",
  updatedAt: "2026-08-20T09:30:00.000Z",
};

const updated = { ...created, phone: "+351 555 0100", version: 2, updatedAt: "2026-08-21T14:00:00.000Z" };
const erased = {
  id: created.id,
  name: "Erased customer",
  version: 3,
  createdAt: created.createdAt,
  updatedAt: "2026-08-22T08:00:01.000Z",
  erasedAt: "2026-08-22T08:00:00.000Z",
};

export const customerEvents = {
  "customer.created": { schema, example: { customer: created } },
  "customer.updated": { schema, example: { customer: updated } },
  "customer.erased": { schema, example: { customer: erased } },
};
