// Describes the operations on customers (interface §4). Pure.
import { customer, feedEvents } from "@tradepost/event-catalog";
import { type About, data, feed, page, text } from "@tradepost/http";
import { z } from "zod";
import { customerReplacement } from "../../customer/customer-input.ts";
import { customerEventTypes } from "../list-events.ts";

const tag = "Customers";

const externalIdTaken = {
  code: "conflict",
  fields: { customerId: z.uuid().describe("The customer that has the externalId") },
} as const;

export const customerAbouts = {
  create: {
    id: "createCustomer",
    tag,
    summary: "Create a customer",
    responses: { 201: data(customer) },
    errors: [externalIdTaken],
    etag: true,
    location: true,
  },
  list: {
    id: "listCustomers",
    tag,
    summary: "List customers",
    description:
      "The newest come first. Several filters together select the customers that match all of them.",
    responses: { 200: page(customer) },
  },
  listEvents: {
    id: "listCustomerEvents",
    tag: "Change feeds",
    summary: "Read the change feed of customers",
    description: `Every creation and change of the tenant's customers, in the order of their commits, for as long as events are kept (30 days by
default). A client that goes on with \`nextCursor\` misses none. A cursor older than the events that are kept is 410. No exchange
and no webhook carries these events.`,
    responses: { 200: feed(feedEvents(customerEventTypes)) },
    errors: ["cursor_expired"],
  },
  get: {
    id: "getCustomer",
    tag,
    summary: "Get a customer",
    responses: { 200: data(customer) },
    etag: true,
  },
  update: {
    id: "updateCustomer",
    tag,
    summary: "Change a customer",
    description:
      "`null` removes a value; a field that is absent stays as it is. A change that changes nothing leaves the version as it is.",
    responses: { 200: data(customer) },
    errors: [externalIdTaken],
    etag: true,
    ifMatch: true,
  },
  put: {
    id: "putCustomerByExternalId",
    tag,
    summary: "Create or replace a customer by its external id",
    description: `Creates the customer (201), or gives the one that has the external id the values of the body (200): a field that is left out or
\`null\` has no value afterwards. With \`If-Match\`, a request that would create a customer is 412.`,
    params: { externalId: text(255).describe("The caller's own id of the customer.") },
    body: customerReplacement,
    responses: { 200: data(customer), 201: data(customer) },
    etag: true,
    location: true,
    ifMatch: true,
  },
} satisfies Record<string, About>;
