// The routes of orders, except those that change an order's state (interface §4).
import { type ChangeFeed, feedQuery } from "@tradepost/change-feed";
import { eventTypesOf, feedEvents } from "@tradepost/event-catalog";
import {
  type ApiRequest,
  cursorPage,
  data,
  exporter,
  feed,
  file,
  listed,
  page,
  pageOnly,
  required,
  route,
} from "@tradepost/http";
import { withIdempotencyKey } from "@tradepost/idempotency";
import { type FirstEvents, QUOTA_EXCEEDED } from "@tradepost/messaging";
import { COUNT_FIELDS } from "@tradepost/search";
import { z } from "zod";
import { recordExport } from "../record-export.ts";
import { READ, WRITE } from "../route-parts.ts";
import { ORDER_COLUMNS, orderLines, withCustomers } from "./export-orders.ts";
import { type ImportContext, importInput, importOrders, importQuery, importResult } from "./import-orders.ts";
import {
  type OrderInput,
  orderChange,
  orderInput,
  orderShape,
  ordersExportQuery,
  ordersQuery,
  parcelChange,
  VERBATIM_FIELDS,
} from "./order-input.ts";
import { type Order, orderResponse, placedResponse } from "./order-resource.ts";
import { order, refusal, timelineEntry } from "./order-schema.ts";
import { countOrders, findOrder, listOrders, ordersToExport, positionOfOrder } from "./order-store.ts";
import { placeOrder } from "./place-order.ts";
import { readTimeline } from "./timeline-store.ts";
import { updateOrder } from "./update-order.ts";

export interface OrderContext extends ImportContext {
  readonly feed: ChangeFeed;
  readonly firstEvents: FirstEvents;
}

const tag = "Orders";
const TAKEN = { orderId: z.uuid().describe("The order that exists") };

// An order of this size takes as long as a page of a list.
const LARGE_ORDER_LINES = 100;

const place = ({ tenants, firstEvents, countPlaced }: OrderContext) => {
  const placeOnce = withIdempotencyKey(
    tenants,
    async (tenant, request: ApiRequest<OrderInput, undefined>) => {
      const { body, idempotencyKey } = request;
      const order = await placeOrder(tenant, body, idempotencyKey, request, firstEvents);
      countPlaced(body.channel);
      return placedResponse(order);
    },
  );
  return route("POST /v1/orders", {
    ...WRITE,
    isIdempotent: true,
    keepsTextOf: VERBATIM_FIELDS,
    body: orderInput,
    about: {
      id: "placeOrder",
      tag,
      summary: "Place an order",
      description: `The order, its number and its event are written together or not at all. The platform computes the totals; amounts have at most
as many decimals as the currency, and \`unitPrice\` has at most 4. A customer that the tenant does not have is 404; the one of the
example is another shop's, so put in an id of \`/v1/customers\`.

\`externalId\` is the channel's own id of the order. A second order of the channel with the same one is 409 \`order_exists\`, for as
long as the first one exists.`,
      body: orderShape,
      responses: { 201: data(order) },
      errors: [
        "not_found",
        "customer_erased",
        { code: "order_exists", fields: TAKEN },
        { code: "order_number_taken", fields: TAKEN },
        {
          code: "validation_error",
          fields: { total: z.number().optional().describe("The total that is not `expectedTotal`") },
        },
      ],
      etag: true,
      location: true,
      emits: ["order.placed"],
    },
    handle: async (request) => {
      if (request.body.items.length >= LARGE_ORDER_LINES) await request.takeSlot();
      return await placeOnce(request);
    },
  });
};

const importMany = (context: OrderContext) =>
  route("POST /v1/orders/bulk", {
    ...WRITE,
    scope: "write:crm_bulk",
    isIdempotent: true,
    body: importInput,
    query: importQuery,
    about: {
      id: "importOrders",
      tag,
      summary: "Import up to 100 orders",
      description: `Each order succeeds or fails by itself, so the response is 200 also if every one of them has failed. The results are in the order of
the request. An order at fault has the error that \`POST /v1/orders\` would respond with. Imports of one tenant follow one another; too many
that wait are 429, or 503 if other tenants' imports take every slot.

With \`dryRun=true\` the response is the one that the import would get now, and nothing is kept: ids and numbers in it are of no order.`,
      body: z.strictObject({ orders: z.array(orderShape).min(1).max(100) }),
      responses: { 200: data(z.array(importResult())) },
      emits: ["order.placed"],
    },
    handle: importOrders(context),
  });

const list = ({ tenants }: OrderContext) =>
  route("GET /v1/orders", {
    ...READ,
    query: ordersQuery,
    about: {
      id: "listOrders",
      tag,
      summary: "List orders",
      description: `The newest come first, by \`createdAt\` or, with \`sort=placedAt\`, by \`placedAt\`. Several filters together select the orders that match all of them.

Use the change feed to find new or changed orders: an order that is committed late has an earlier time than others that the list has shown
already.`,
      responses: { 200: page(order, COUNT_FIELDS) },
    },
    handle: async ({ principal, query }) => {
      const tenant = tenants.of(principal.tenantId);
      const { orders, ...found } = await listOrders(tenant, query);
      const counted = query.count ? await countOrders(tenant, query) : {};
      const position = query.sort === "placedAt" ? byPlacement : undefined;
      return listed({ ...cursorPage(orders, query.limit, { ...found, position }), ...counted });
    },
  });

const byPlacement = ({ placedAt, id }: Order) => ({ createdAt: placedAt, id, sort: "placedAt" });

const exportAll = ({ tenants }: OrderContext) => {
  const respond = exporter();
  return route("GET /v1/orders/export", {
    ...READ,
    query: ordersExportQuery,
    about: {
      id: "exportOrders",
      tag,
      summary: "Export orders",
      description: `All orders that match the filters, the oldest first, in one response that is as fast as its reader. CSV has a line for each order line;
NDJSON has an order on each line, as the list shows it. If the response breaks off, \`after\` with the id of the last complete order goes on
after it. In CSV, a text that a spreadsheet could take for a formula gets a \`'\` before it. Each export is in the audit log.`,
      responses: { 200: file("text/csv", "application/x-ndjson") },
    },
    handle: async (request) => {
      const tenant = tenants.of(request.principal.tenantId);
      const readPage = await ordersToExport(tenant, request.query);
      return await respond(request, {
        name: "orders",
        columns: ORDER_COLUMNS,
        lines: orderLines,
        shown: ({ order }) => order,
        readPage: async (after) => withCustomers(tenant, await readPage(after)),
        find: (id) => positionOfOrder(tenant, id),
        record: () => recordExport(tenant, "orders", request),
      });
    },
  });
};

const eventTypes = eventTypesOf("order");
// The condition of the index published_events_of_orders.
const OF_ORDERS = "type not like 'customer.%'";

const listEvents = (context: OrderContext) =>
  route("GET /v1/orders/events", {
    ...READ,
    query: feedQuery(eventTypes),
    about: {
      id: "listOrderEvents",
      tag: "Change feeds",
      summary: "Read the change feed of orders",
      description: `The events of the tenant's orders in the order of their commits, for as long as they are kept (30 days by default). A client that
goes on with \`nextCursor\` misses none. A cursor older than the events that are kept is 410.`,
      responses: { 200: feed(feedEvents(eventTypes)) },
      errors: ["cursor_expired"],
    },
    handle: (request: Parameters<ChangeFeed["list"]>[0]) => context.feed.list(request, OF_ORDERS),
  });

const read = ({ tenants }: OrderContext) =>
  route("GET /v1/orders/:id", {
    ...READ,
    about: {
      id: "getOrder",
      tag,
      summary: "Get an order",
      responses: { 200: data(order) },
      etag: true,
    },
    handle: async ({ principal, id }) => {
      return orderResponse(required(await findOrder(tenants.of(principal.tenantId), id), "order"));
    },
  });

const update = ({ tenants }: OrderContext) =>
  route("PATCH /v1/orders/:id", {
    ...WRITE,
    keepsTextOf: VERBATIM_FIELDS,
    mergeLevels: 1,
    body: orderChange,
    about: {
      id: "updateOrder",
      tag,
      summary: "Change the notes, metadata, addresses or parcel of an order",
      description: `\`null\` removes a value; a field that is absent stays as it is. Addresses can change only while the order is placed, \`trackingNumber\` and
\`carrier\`, of the latest shipment, only once something is shipped. The change is in the timeline, and in the change feed as \`order.updated\`; no exchange carries
it. A change that changes nothing leaves the version as it is.`,
      responses: { 200: data(order) },
      errors: [refusal("invalid_transition"), refusal("customer_erased"), QUOTA_EXCEEDED],
      etag: true,
      ifMatch: true,
    },
    handle: (request) => {
      const { principal, id, bodyFor, raw } = request;
      const change = { changeOf: bodyFor };
      return updateOrder(tenants.of(principal.tenantId), id, change, raw.headers["if-match"], request);
    },
  });

const updateShipment = ({ tenants }: OrderContext) =>
  route("PATCH /v1/orders/:id/shipments/:shipmentId", {
    ...WRITE,
    body: parcelChange,
    about: {
      id: "updateShipment",
      tag,
      summary: "Change the parcel of a shipment",
      description:
        "`null` removes a value. The order shows the parcel of its latest shipment. The change is in the timeline, and in the change feed as `order.updated`.",
      responses: { 200: data(order) },
      errors: [QUOTA_EXCEEDED],
      etag: true,
      ifMatch: true,
    },
    handle: (request) => {
      const { principal, id, params, bodyFor, raw } = request;
      const change = { changeOf: bodyFor, shipmentId: params.shipmentId ?? "" };
      return updateOrder(tenants.of(principal.tenantId), id, change, raw.headers["if-match"], request);
    },
  });

const timeline = ({ tenants }: OrderContext) =>
  route("GET /v1/orders/:id/timeline", {
    ...READ,
    query: pageOnly,
    about: {
      id: "getOrderTimeline",
      tag,
      summary: "Get the timeline of an order",
      description: "Every change of the order, the newest first.",
      responses: { 200: page(timelineEntry) },
    },
    handle: async ({ principal, id, query }) => {
      const entries = required(await readTimeline(tenants.of(principal.tenantId), id, query), "order");
      return listed(cursorPage(entries, query.limit, { shown: ({ id: _, ...shown }) => shown }));
    },
  });

export const orderRoutes = [
  ...[place, importMany, list, exportAll, listEvents, read, update, updateShipment, timeline],
];
