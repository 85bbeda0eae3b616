// The bodies and the query of the customer routes (interface §4). Pure.
import { email, jsonObject, pageQuery, text } from "@tradepost/http";
import { z } from "zod";

const optional = { email, phone: text(50), externalId: text(255), metadata: jsonObject };

export const customerInput = z.strictObject({
  name: text(500),
  ...z.object(optional).partial().shape,
});

/** `null` removes a value; a field that is absent stays as it is. */
export const customerChange = z.strictObject({
  name: text(500).optional(),
  email: optional.email.nullable().optional(),
  phone: optional.phone.nullable().optional(),
  externalId: optional.externalId.nullable().optional(),
  metadata: optional.metadata.nullable().optional(),
});

export type CustomerInput = z.output<typeof customerInput>;
export type CustomerChange = z.output<typeof customerChange>;

export const customersQuery = z.strictObject({ ...pageQuery, externalId: z.string().optional() });

export type CustomersQuery = z.output<typeof customersQuery>;
