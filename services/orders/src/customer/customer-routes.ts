// The routes of customers (interface §4).
import { type ChangeFeed, feedQuery } from "@tradepost/change-feed";
import { customer, eventTypesOf, feedEvents } from "@tradepost/event-catalog";
import {
  type ApiRequest,
  cursorPage,
  data,
  exporter,
  type FieldFault,
  feed,
  file,
  jsonObject,
  listed,
  page,
  required,
  route,
  text,
  type Validate,
} from "@tradepost/http";
import { recording } from "@tradepost/idempotency";
import { QUOTA_EXCEEDED } from "@tradepost/messaging";
import type { TenantDatabases } from "@tradepost/postgres";
import { COUNT_FIELDS } from "@tradepost/search";
import { z } from "zod";
import { recordExport } from "../record-export.ts";
import { READ, WRITE } from "../route-parts.ts";
import type { Tables } from "../tables.ts";
import {
  type CustomerInput,
  type CustomerReplacement,
  customerChange,
  customerInput,
  customerReplacement,
  customersExportQuery,
  customersQuery,
} from "./customer-input.ts";
import { createdResponse, customerResponse } from "./customer-resource.ts";
import { countCustomers, customersToExport, findCustomer, listCustomers } from "./customer-store.ts";
import { changeCustomer, createCustomer, putCustomer } from "./save-customer.ts";

export interface CustomerContext {
  readonly tenants: TenantDatabases<Tables>;
  readonly feed: ChangeFeed;
}

const tag = "Customers";

const EXTERNAL_ID_TAKEN = {
  code: "conflict",
  fields: { customerId: z.uuid().describe("The customer that has the externalId") },
} as const;

const ERASED = {
  code: "customer_erased",
  fields: { customerId: z.uuid().describe("The customer") },
} as const;

const create = ({ tenants }: CustomerContext) =>
  route("POST /v1/customers", {
    ...WRITE,
    isIdempotent: true,
    keepsTextOf: ["metadata"],
    body: customerInput,
    about: {
      id: "createCustomer",
      tag,
      summary: "Create a customer",
      responses: { 201: data(customer) },
      errors: [EXTERNAL_ID_TAKEN, QUOTA_EXCEEDED],
      etag: true,
      location: true,
    },
    handle: recording({ tenants }, async (tx, request: ApiRequest<CustomerInput, undefined>) =>
      createdResponse(await createCustomer(tx, request.body, request)),
    ),
  });

const list = ({ tenants }: CustomerContext) =>
  route("GET /v1/customers", {
    ...READ,
    query: customersQuery,
    about: {
      id: "listCustomers",
      tag,
      summary: "List customers",
      description: "The newest come first. Customers match all filters.",
      responses: { 200: page(customer, COUNT_FIELDS) },
    },
    handle: async ({ principal, query }) => {
      const tenant = tenants.of(principal.tenantId);
      const { customers, hasMore } = await listCustomers(tenant, query);
      const counted = query.count ? await countCustomers(tenant, query) : {};
      return listed({ ...cursorPage(customers, query.limit, { hasMore }), ...counted });
    },
  });

const COLUMNS = customer.keyof().options;

const exportAll = ({ tenants }: CustomerContext) => {
  const respond = exporter();
  return route("GET /v1/customers/export", {
    ...READ,
    query: customersExportQuery,
    about: {
      id: "exportCustomers",
      tag,
      summary: "Export customers",
      description: "Oldest first, as `GET /v1/orders/export` exports orders.",
      responses: { 200: file("text/csv", "application/x-ndjson") },
    },
    handle: async (request) => {
      const tenant = tenants.of(request.principal.tenantId);
      return await respond(request, {
        name: "customers",
        columns: COLUMNS,
        lines: (customer) => [COLUMNS.map((column) => customer[column])],
        readPage: await customersToExport(tenant, request.query),
        find: (id) => findCustomer(tenant, { id }),
        record: () => recordExport(tenant, "customers", request),
      });
    },
  });
};

const eventTypes = eventTypesOf("customer");
// The condition of the index published_events_of_customers.
const OF_CUSTOMERS = "type like 'customer.%'";

const listEvents = (context: CustomerContext) =>
  route("GET /v1/customers/events", {
    ...READ,
    query: feedQuery(eventTypes),
    about: {
      id: "listCustomerEvents",
      tag: "Change feeds",
      summary: "Read the change feed of customers",
      description: `Every creation and change of the tenant's customers, in the order of their commits, for as long as events are kept (30 days by
default). A client that goes on with \`nextCursor\` misses none. A cursor older than the events that are kept is 410. No exchange
and no webhook carries these events.`,
      responses: { 200: feed(feedEvents(eventTypes)) },
      errors: ["cursor_expired"],
    },
    handle: (request: Parameters<ChangeFeed["list"]>[0]) => context.feed.list(request, OF_CUSTOMERS),
  });

const read = ({ tenants }: CustomerContext) =>
  route("GET /v1/customers/:id", {
    ...READ,
    about: {
      id: "getCustomer",
      tag,
      summary: "Get a customer",
      responses: { 200: data(customer) },
      etag: true,
    },
    handle: async ({ principal, id }) => {
      const customer = required(await findCustomer(tenants.of(principal.tenantId), { id }), "customer");
      return customerResponse(customer);
    },
  });

const update = ({ tenants }: CustomerContext) =>
  route("PATCH /v1/customers/:id", {
    ...WRITE,
    keepsTextOf: ["metadata"],
    mergeLevels: 1,
    body: customerChange,
    about: {
      id: "updateCustomer",
      tag,
      summary: "Change a customer",
      description: "`null` removes a value. A change that changes nothing leaves the version.",
      responses: { 200: data(customer) },
      errors: [EXTERNAL_ID_TAKEN, ERASED, QUOTA_EXCEEDED],
      etag: true,
      ifMatch: true,
    },
    handle: async (request) => {
      const { principal, id, bodyFor, raw } = request;
      const tenant = tenants.of(principal.tenantId);
      return customerResponse(await changeCustomer(tenant, id, bodyFor, raw.headers["if-match"], request));
    },
  });

/** Validated with the externalId of the path, so that one response names every fault. */
type ReplacementOf = (externalId: string) => CustomerReplacement;

function replacementInput(
  json: unknown,
  otherFaults: readonly FieldFault[],
  validate: Validate,
): ReplacementOf {
  return (externalId) => {
    const { data: body } = jsonObject.safeParse(json);
    if (body === undefined) return validate(customerReplacement, json, otherFaults);
    const isOther = body.externalId !== undefined && body.externalId !== externalId;
    const faults = isOther ? [{ path: "externalId", message: "must be the one in the path" }] : [];
    return validate(customerReplacement, { ...body, externalId }, [...otherFaults, ...faults]);
  };
}

const put = ({ tenants }: CustomerContext) =>
  route("PUT /v1/customers/by-external-id/:externalId", {
    ...WRITE,
    keepsTextOf: ["metadata"],
    body: replacementInput,
    about: {
      id: "putCustomerByExternalId",
      tag,
      summary: "Create or replace a customer by its external id",
      description: `Creates the customer (201), or gives the one that has the external id the values of the body (200): a field that is left out or
\`null\` has no value afterwards. With \`If-Match\`, a request that would create a customer is 412.`,
      params: { externalId: text(255).describe("The caller's own id of the customer.") },
      body: customerReplacement,
      responses: { 200: data(customer), 201: data(customer) },
      errors: [ERASED, QUOTA_EXCEEDED],
      etag: true,
      location: true,
      ifMatch: true,
    },
    handle: async (request) => {
      const { principal, params, raw } = request;
      const externalId = params.externalId ?? "";
      const body = request.body(externalId);
      const tenant = tenants.of(principal.tenantId);
      const saved = await putCustomer(tenant, externalId, body, raw.headers["if-match"], request);
      return saved.isNew ? createdResponse(saved.customer) : customerResponse(saved.customer);
    },
  });

export const customerRoutes = [create, list, exportAll, listEvents, read, update, put];
