// What a customer may be made of, field by field (contract §4). Pure.
import { email, jsonObject, text } from "@tradepost/http";
import { z } from "zod";

const optional = { email, phone: text(50), externalId: text(255), metadata: jsonObject };

export const customerInput = z.strictObject({
  name: text(500),
  ...z.object(optional).partial().shape,
});

/** Only what is named changes; null takes a value away. */
export const customerChange = z.strictObject({
  name: text(500).optional(),
  email: optional.email.nullable().optional(),
  phone: optional.phone.nullable().optional(),
  externalId: optional.externalId.nullable().optional(),
  metadata: optional.metadata.nullable().optional(),
});

export type CustomerInput = z.output<typeof customerInput>;
export type CustomerChange = z.output<typeof customerChange>;
