import { invalid } from "@tradepost/http";
import { z } from "zod";
import {
  detail,
  id,
  idempotencyKeyOf,
  page,
  requestKey,
  searchText,
  shortText,
  time,
  version,
} from "../arguments.ts";
import * as schema from "../output-schema.ts";
import { camelCased, fieldsOf, pathOf } from "../service-calls.ts";
import { listed, READ_CRM, type ToolResult, tool, WRITE_CRM } from "../tool.ts";
import { shownId, untrustedIfAny } from "../untrusted-text.ts";

type ApiCustomer = Readonly<Record<string, unknown>>;

const erasedAt = {
  ...schema.text,
  description: "Since when the person is erased; nothing can be changed.",
};
const customerSchema = schema.object(
  { id: schema.text, name: schema.untrustedText, version: schema.integer, erased_at: erasedAt },
  ["id", "name", "version"],
);

export const findCustomers = tool({
  name: "find_customers",
  title: "Find customers",
  description:
    "Lists customers, newest first, by words of name, e-mail and phone, or by exact e-mail, external_id or ids. Use it to get the customer_id for place_order or find_orders.",
  needs: [READ_CRM],
  effect: "reads",
  input: z.strictObject({
    search: searchText
      .optional()
      .describe("Words, each the beginning of a word of the name, the e-mail or the phone."),
    email: shortText(320).optional().describe("Exactly this address."),
    external_id: shortText(255).optional().describe("The customer's id in another system."),
    customer_ids: z.array(z.string().max(64)).min(1).max(20).optional().describe("Ids (UUIDs)."),
    updated_after: time.optional(),
    detail,
    ...page,
  }),
  output: schema.pageOf("customers", customerSchema),
  run: async ({ customer_ids: ids, detail, ...filter }, { services }) => {
    const query = { ...camelCased(filter), ids };
    const { data, nextCursor } = await services.get<ApiCustomer[]>("/v1/customers", query);
    const rows = data.map((customer) => shownCustomer(customer, detail === "full"));
    return listed("Customers on this page", "customers", rows, nextCursor);
  },
});

export const saveCustomer = tool({
  name: "save_customer",
  title: "Create or change a customer",
  description:
    "Without customer_id it creates a customer (name is required); with customer_id it changes the fields given, and null removes one. Use it when the user gave the data. Look with find_customers first, so that nobody exists twice. Not for the addresses of an order.",
  needs: [WRITE_CRM],
  effect: "changes",
  input: z.strictObject({
    customer_id: id("The customer to change; without it one is created.").optional(),
    name: shortText(500).optional().describe("Full name."),
    email: shortText(320).nullable().optional().describe("E-mail address."),
    phone: shortText(50).nullable().optional().describe("Phone number."),
    external_id: shortText(255).nullable().optional().describe("The customer's id in another system."),
    version,
    request_key: requestKey,
  }),
  output: schema.object({
    result: schema.oneOf("created", "already_created", "changed"),
    customer: customerSchema,
  }),
  run: async ({ customer_id, version, request_key, ...fields }, { services }) => {
    const body = camelCased(fields);
    if (customer_id !== undefined) {
      const { data } = await services.patch<ApiCustomer>(pathOf("customers", customer_id), { body, version });
      return saved("changed", data, "The customer has the given values.");
    }
    if (version !== undefined) {
      throw invalid([{ path: "version", message: "is only for a customer that exists" }]);
    }
    const { data, isReplayed } = await services.post<ApiCustomer>("/v1/customers", {
      body,
      idempotencyKey: idempotencyKeyOf(request_key),
    });
    if (!isReplayed) return saved("created", data, "The customer is created.");
    const summary = "This customer was already created by an earlier call with the same request_key.";
    return saved("already_created", data, summary);
  },
});

function saved(result: string, customer: ApiCustomer, summary: string): ToolResult {
  return { summary, structured: { result, customer: shownCustomer(customer, true) } };
}

function shownCustomer(customer: ApiCustomer, isFull: boolean) {
  return {
    ...fieldsOf(customer, "id", "version", "erasedAt"),
    name: untrustedIfAny(customer.name, 200),
    email: untrustedIfAny(customer.email, 320),
    phone: untrustedIfAny(customer.phone, 50),
    external_id: shownId(customer.externalId),
    ...(isFull && {
      metadata: untrustedIfAny(customer.metadata, 1_000),
      ...fieldsOf(customer, "createdAt", "updatedAt"),
    }),
  };
}
