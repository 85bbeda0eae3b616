// The bodies and the query of the customer routes (interface §4). Pure.
import {
  email,
  exportQuery,
  ids,
  metadata as jsonMetadata,
  name,
  pageQuery,
  shaped,
  storableTime,
  text,
} from "@tradepost/http";
import { count, search } from "@tradepost/search";
import { z } from "zod";

const externalId = text(255).describe("The id that another system gave the customer, unique in the tenant");

const METADATA = "At most 64 KiB of JSON text, returned as it was sent; the platform does not interpret it";
const metadata = jsonMetadata.describe(METADATA);

const optional = { email, phone: text(50), externalId, metadata };

export const customerInput = z.strictObject({
  name: name(500),
  ...z.object(optional).partial().shape,
});

export const customerChange = z.strictObject({
  name: name(500).optional(),
  email: optional.email.nullable().optional(),
  phone: optional.phone.nullable().optional(),
  externalId: optional.externalId.nullable().optional(),
  metadata: optional.metadata.nullable().optional(),
});

/** The whole customer: a null or absent field has no value afterwards. `externalId` comes from the path. */
export const customerReplacement = z.strictObject({
  name: name(500),
  email: optional.email.nullable().default(null),
  phone: optional.phone.nullable().default(null),
  externalId: optional.externalId.optional(),
  metadata: shaped(
    optional.metadata.nullable().default(null),
    z.looseObject({}).describe(METADATA).nullable().default(null),
  ),
});

export type CustomerInput = z.output<typeof customerInput>;
export type CustomerChange = z.output<typeof customerChange>;
export type CustomerReplacement = z.output<typeof customerReplacement>;

export const customersQuery = z.strictObject({
  ...pageQuery,
  count,
  externalId: z.string().optional().describe("The caller's own id of the customer."),
  email: z.string().optional().describe("In upper or lower case."),
  ids: ids.optional().describe("Only customers with these ids."),
  updatedAfter: storableTime.optional().describe("The time of the latest change, inclusive."),
  updatedBefore: storableTime.optional().describe("The time of the latest change, exclusive."),
  search: search
    .optional()
    .describe(
      "Only customers that have each of these words, separated by blanks: it begins a word of the name, the e-mail address or the phone. Case and accents do not matter.",
    ),
});

export const customersExportQuery = customersQuery
  .omit({ limit: true, cursor: true, count: true })
  .extend(exportQuery);

export type CustomersQuery = z.output<typeof customersQuery>;
