// The routes of events and their types (interface §7).
import {
  eventData,
  eventTypes,
  plainSchemaOf,
  subscribableType,
  thinDataOf,
  thinSchemaOf,
} from "@tradepost/event-catalog";
import { isOfOrders } from "@tradepost/event-catalog/order-events";
import { data, listed, ok, page, required, route } from "@tradepost/http";
import { z } from "zod";
import { delivery } from "../delivery/delivery.ts";
import { sightOf } from "../offered-types.ts";
import { READ, type RouteContext } from "../route-context.ts";
import { eventsQuery, findEvent, listEvents, subject } from "./event-store.ts";
import { match } from "./matches.ts";

type EventContext = Pick<RouteContext, "tenants" | "more">;

const tag = "Webhook events";

const event = z
  .strictObject({
    id: z.uuid().describe("`X-service-Event-Id`"),
    type: subscribableType,
    resourceId: z.uuid().nullable().describe("The id of the redirect, entry, media asset or order."),
    subject,
    occurredAt: z.iso.datetime().describe("When it was committed."),
    requestId: z.string().describe("The `X-Request-Id` of the request that caused it."),
    deliveries: z.array(delivery.pick({ id: true, subscriptionId: true, status: true })),
  })
  .meta({ id: "WebhookEvent", description: "An event that could be subscribed to, with its deliveries." });

const list = ({ tenants }: EventContext) =>
  route("GET /v1/webhooks/events", {
    ...READ,
    query: eventsQuery,
    about: {
      id: "listWebhookEvents",
      tag,
      summary: "List the events that could be subscribed to, newest first",
      description:
        "Whether or not a subscription matched them. A search by `type`, time or words ends after 10,000 events: a page may have fewer events than `limit`, even none, while `nextCursor` is not null.",
      responses: { 200: page(event) },
    },
    handle: async ({ principal, query }) =>
      listed(await listEvents(tenants.of(principal.tenantId), { ...query, ...sightOf(principal) })),
  });

const test = z.literal(true).optional().describe("Only in an example event, which `sendTestDelivery` sends.");

/** As receivers get it: of an order, only what identifies it. */
function dataOf(type: string) {
  const { schema, example = {} } = eventData[type] ?? {};
  if (schema === undefined) throw new Error(`no schema of ${type}`);
  return isOfOrders(type)
    ? { schema: thinSchemaOf(schema), example: thinDataOf(example) }
    : { schema, example };
}

const [firstDetails, ...otherDetails] = subscribableType.options.map((type) => {
  return event
    .extend({
      type: z.literal(type),
      data: dataOf(type).schema.extend({ test }),
      subscriptions: z.array(match).describe("One for each subscription that exists now."),
    })
    .meta({
      id: `${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Details`,
    });
});
if (firstDetails === undefined) throw new Error("no type is subscribable");
const eventDetails = z.discriminatedUnion("type", [firstDetails, ...otherDetails]);

const read = ({ tenants }: EventContext) =>
  route("GET /v1/webhooks/events/:id", {
    ...READ,
    about: {
      ...{ id: "getWebhookEvent", tag, summary: "Get an event with its data and its subscriptions" },
      description: "`subscriptions` says why each of them has a delivery of the event, or has none.",
      responses: { 200: data(eventDetails) },
    },
    handle: async ({ principal, id }) =>
      ok(required(await findEvent(tenants.of(principal.tenantId), id, sightOf(principal)), "event")),
  });

const eventType = z
  .strictObject({
    type: subscribableType,
    description: z.string().describe("When it is emitted."),
    schema: z.looseObject({}).describe("The JSON Schema of `data`."),
    example: z.looseObject({}).describe("An example of `data`."),
    thinExample: z.looseObject({}).describe('The same with `payload: "thin"`.'),
  })
  .meta({ id: "EventType", description: "An event type that a subscription may name." });

const items = eventTypes
  .filter(({ description }) => description !== null)
  .map(({ type, description }) => {
    const { schema, example } = dataOf(type);
    return { type, description, schema: plainSchemaOf(schema), example, thinExample: thinDataOf(example) };
  });

const listTypes = ({ more }: EventContext) =>
  route("GET /v1/webhooks/event-types", {
    ...READ,
    about: {
      ...{ id: "listEventTypes", tag, summary: "List the event types that a subscription may name" },
      description:
        "All of them on one page. Types of orders are there if the operator offers them and the tenant has the module `crm`; their `data` is thin.",
      responses: { 200: page(eventType) },
    },
    handle: ({ principal }) => {
      const shown = principal.modules.includes("crm") ? more : [];
      const isOffered = ({ type }: { type: string }) => !isOfOrders(type) || shown.includes(type);
      return listed({ items: items.filter(isOffered), nextCursor: null });
    },
  });

export const eventRoutes = [list, read, listTypes];
