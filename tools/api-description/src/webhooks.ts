// The `webhooks` section of the document: the requests to a tenant's receivers (interface §7). Pure.
import { eventData, eventTypes, thinDataOf, thinSchemaOf } from "@tradepost/event-catalog";
import { isOfOrders } from "@tradepost/event-catalog/order-events";
import { z } from "zod";
import { type Components, type JsonSchema, jsonSchemaOf, objectOf } from "./json-schema.ts";

export const EVENTS_TAG = "Requests to receivers";

const SIGNATURE = { type: "string", pattern: "^sha256=[0-9a-f]{64}$" };
const STANDARD_SIGNATURE = "v1,[A-Za-z0-9+/]{43}=";

interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly isOptional?: true;
}

const HEADERS: Readonly<Record<string, Header>> = {
  "X-service-Event": { description: "The event's type, as in the body.", schema: { type: "string" } },
  "X-service-Delivery": {
    description: "The delivery's id, as in the body: the same in every attempt. Deduplicate by it.",
    schema: { type: "string", format: "uuid" },
  },
  "X-service-Attempt": {
    description: "The number of the attempt, from 1; from 1 again after a redelivery.",
    schema: { type: "integer", minimum: 1 },
  },
  "X-service-Event-Id": {
    description: "The event's id, the same in the deliveries of all subscriptions.",
    schema: { type: "string", format: "uuid" },
  },
  "X-service-Event-Time": {
    description: "When the event was committed.",
    schema: { type: "string", format: "date-time" },
  },
  "X-service-Resource": {
    description:
      "The kind and id of the entry, the media asset, the redirect or the order: `entry/0198c5b3-…`.",
    schema: { type: "string" },
  },
  "X-service-Resource-Version": {
    description:
      "The version of an entry, a redirect or an order. A receiver that has a later one may ignore the delivery.",
    schema: { type: "string", pattern: "^[1-9][0-9]*$" },
    isOptional: true,
  },
  "X-service-Replay": {
    description: "The replay that sends the delivery, if one does.",
    schema: { type: "string", format: "uuid" },
    isOptional: true,
  },
  "X-service-Signature": {
    description:
      "`sha256=` and the HMAC-SHA256 of the body's bytes in hex. The key is the whole secret as it is written, `whsec_` included.",
    schema: SIGNATURE,
  },
  "X-service-Signature-Previous": {
    description: "The same with the previous secret, while a rotation overlaps.",
    schema: SIGNATURE,
    isOptional: true,
  },
  "webhook-id": {
    description: "The delivery's id, as [Standard Webhooks](https://www.standardwebhooks.com) defines it.",
    schema: { type: "string", format: "uuid" },
  },
  "webhook-timestamp": {
    description: "The time of the attempt in seconds since 1970.",
    schema: { type: "integer" },
  },
  "webhook-signature": {
    description:
      "`v1,` and the HMAC-SHA256 of `webhook-id`, `.`, `webhook-timestamp`, `.` and the body in base64. The key is the bytes that the base64 after `whsec_` encodes. While a rotation overlaps there are two, separated by a space, the new one first.",
    schema: { type: "string", pattern: `^${STANDARD_SIGNATURE}( ${STANDARD_SIGNATURE})?$` },
  },
  "User-Agent": {
    description: "The same in every request.",
    schema: { type: "string", const: "Tradepost-Webhooks/1" },
  },
};

// Only example events, which an admin sends, have this field.
const test = z.literal(true).optional().describe("Only in an example event, which `sendTestDelivery` sends.");

export const webhookParameters = Object.fromEntries(
  Object.entries(HEADERS).map(([name, { description, schema, isOptional }]) => [
    name,
    { name, in: "header", required: isOptional !== true, description, schema },
  ]),
);

export function webhooksOf(components: Components): Record<string, unknown> {
  const types = eventTypes.filter(({ type, description }) => description !== null && type in eventData);
  return Object.fromEntries(types.map((event) => [event.type, webhookOf(event, components)]));
}

function webhookOf({ type, description }: (typeof eventTypes)[number], components: Components) {
  const { schema, example = {} } = eventData[type] ?? {};
  if (schema === undefined) throw new Error(`no schema of ${type}`);
  const thin = thinSchemaOf(schema).extend({ test });
  const body = objectOf({
    id: { type: "string", format: "uuid", description: "The delivery's id: the same in every attempt." },
    type: { type: "string", const: type },
    tenant_id: { type: "string", format: "uuid", description: "The tenant of the event." },
    data: jsonSchemaOf(
      isOfOrders(type) ? thin : z.union([schema.extend({ test }), thin]),
      "output",
      components,
    ),
    delivered_at: { type: "string", format: "date-time", description: "The time of the attempt." },
  });
  return {
    post: {
      operationId: `receive_${type.replaceAll(".", "_")}`,
      tags: [EVENTS_TAG],
      summary: description,
      description: DESCRIPTION,
      security: [],
      parameters: Object.keys(HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: body,
            example: exampleOf(type, isOfOrders(type) ? thinDataOf(example) : example),
          },
        },
      },
      responses: {
        "2XX": { description: "Received: the delivery is complete. The response's body does not matter." },
        default: {
          description:
            "A failed attempt, and so is no complete response within 10 s. It is repeated after about 1, 5, 15 and 30 minutes and 1, 2 and 4 hours; the eighth attempt is the last. Redirects are not followed.",
        },
      },
    },
  };
}

const DESCRIPTION = `Sent to the \`url\` of each subscription to this type, with the subscription's own \`headers\` beside those below. A
listener gets the same request from its lease.

Verify a signature over the bytes of the body as they arrived, then process each \`id\` once: a delivery may arrive more than
once, and the order is not promised. Ignore fields that you do not know.`;

function exampleOf(type: string, data: unknown) {
  return {
    id: "0198c5a2-8000-7000-8000-000000000001",
    type,
    tenant_id: "0198c5a0-0000-7000-8000-000000000001",
    data,
    delivered_at: "2026-08-20T09:30:00.500Z",
  };
}
