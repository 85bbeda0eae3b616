// Describes the operations on events and their types (interface §7). Pure.
import { eventData, subscribableType, subscribableTypes } from "@tradepost/event-catalog";
import { type About, data, page } from "@tradepost/http";
import { z } from "zod";
import { delivery } from "./deliveries.ts";

const tag = "Webhook events";

const event = z
  .strictObject({
    id: z.uuid().describe("`X-service-Event-Id`"),
    type: subscribableType,
    resourceId: z.uuid().nullable().describe("The id of the redirect, entry or media asset."),
    occurredAt: z.iso.datetime().describe("When it was committed."),
    requestId: z.string().describe("The `X-Request-Id` of the request that caused it."),
    deliveries: z.array(delivery.pick({ id: true, subscriptionId: true, status: true })),
  })
  .meta({ id: "WebhookEvent", description: "An event that could be subscribed to, with its deliveries." });

const match = z
  .strictObject({
    subscriptionId: z.uuid(),
    name: z.string(),
    matched: z.boolean().describe("Also true for a paused subscription, whose delivery is `paused`."),
    reason: z.enum(["type_not_subscribed", "created_later"]).nullable().describe("Null if it matched."),
    deliveryId: z.uuid().nullable().describe("Null without a match, or if the delivery has left the log."),
  })
  .meta({
    id: "SubscriptionMatch",
    description: "Why a subscription has a delivery of an event or has none.",
  });

const test = z.literal(true).optional().describe("Only in an example event, which `sendTestDelivery` sends.");

const [firstDetails, ...otherDetails] = subscribableTypes.map((type) => {
  const schema = eventData[type]?.schema;
  if (schema === undefined) throw new Error(`no schema of ${type}`);
  return event
    .extend({
      type: z.literal(type),
      data: schema.extend({ test }),
      subscriptions: z.array(match).describe("One for each subscription that exists now."),
    })
    .meta({
      id: `${type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Details`,
    });
});
if (firstDetails === undefined) throw new Error("no type is subscribable");
const eventDetails = z.discriminatedUnion("type", [firstDetails, ...otherDetails]);

const eventType = z
  .strictObject({
    type: subscribableType,
    description: z.string().describe("When it is emitted."),
    schema: z.looseObject({}).describe("The JSON Schema of `data`."),
    example: z.looseObject({}).describe("An example of `data`."),
  })
  .meta({ id: "EventType", description: "An event type that a subscription may name." });

export const eventAbouts = {
  list: {
    id: "listWebhookEvents",
    tag,
    summary: "List the events that could be subscribed to, newest first",
    description:
      "Whether or not a subscription matched them. A search by `type` or time ends after 10,000 events: a page may have fewer events than `limit`, even none, while `nextCursor` is not null.",
    responses: { 200: page(event) },
  },
  get: {
    id: "getWebhookEvent",
    tag,
    summary: "Get an event with its data and its subscriptions",
    description: "`subscriptions` says why each of them has a delivery of the event, or has none.",
    responses: { 200: data(eventDetails) },
  },
  listTypes: {
    id: "listEventTypes",
    tag,
    summary: "List the event types that a subscription may name",
    description: "All of them on one page.",
    responses: { 200: page(eventType) },
  },
} satisfies Record<string, About>;
