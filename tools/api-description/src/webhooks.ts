// The `webhooks` section of the document: the requests to a tenant's receivers (interface §7). Pure.
import { eventData, eventTypes, thinDataOf, thinSchemaOf } from "@tradepost/event-catalog";
import { isOfOrders } from "@tradepost/event-catalog/order-events";
import { z } from "zod";
import { type Components, type JsonSchema, jsonSchemaOf, objectOf } from "./json-schema.ts";

export const EVENTS_TAG = "Requests to receivers";

const STANDARD_SIGNATURE = "v1,[A-Za-z0-9+/]{43}=";
const TEXT = { type: "string" };
const ID = { type: "string", format: "uuid" };
const SIGNATURE = { type: "string", pattern: "^sha256=[0-9a-f]{64}$" };

const always = (schema: JsonSchema, description: string) => ({ required: true, description, schema });
const sometimes = (schema: JsonSchema, description: string) => ({ required: false, description, schema });

const HEADERS = {
  "X-service-Event": always(TEXT, "The event's type, as in the body."),
  "X-service-Delivery": always(
    ID,
    "The delivery's id, as in the body: the same in every attempt. Deduplicate by it.",
  ),
  "X-service-Attempt": always(
    { type: "integer", minimum: 1 },
    "The number of the attempt, from 1; from 1 again after a redelivery.",
  ),
  "X-service-Event-Id": always(ID, "The event's id, the same in the deliveries of all subscriptions."),
  "X-service-Event-Time": always({ type: "string", format: "date-time" }, "When the event was committed."),
  "X-service-Resource": always(
    TEXT,
    "The kind and id of the entry, the media asset, the redirect or the order: `entry/0198c5b3-…`.",
  ),
  "X-service-Resource-Version": sometimes(
    { type: "string", pattern: "^[1-9][0-9]*$" },
    "The version of an entry, a redirect or an order. A receiver that has a later one may ignore the delivery.",
  ),
  "X-service-Replay": sometimes(ID, "The replay that sends the delivery, if one does."),
  "X-service-Signature": always(
    SIGNATURE,
    "`sha256=` and the HMAC-SHA256 of the body's bytes in hex. The key is the whole secret as it is written, `whsec_` included.",
  ),
  "X-service-Signature-Previous": sometimes(
    SIGNATURE,
    "The same with the previous secret, while a rotation overlaps.",
  ),
  "webhook-id": always(
    ID,
    "The delivery's id, as [Standard Webhooks](https://www.standardwebhooks.com) defines it.",
  ),
  "webhook-timestamp": always({ type: "integer" }, "The time of the attempt in seconds since 1970."),
  "webhook-signature": always(
    { type: "string", pattern: `^${STANDARD_SIGNATURE}( ${STANDARD_SIGNATURE})?$` },
    "`v1,` and the HMAC-SHA256 of `webhook-id`, `.`, `webhook-timestamp`, `.` and the body in base64. The key is the bytes that the base64 after `whsec_` encodes. While a rotation overlaps there are two, separated by a space, the new one first.",
  ),
  "User-Agent": always({ type: "string", const: "Tradepost-Webhooks/1" }, "The same in every request."),
};

// Only example events, which an admin sends, have this field.
const test = z.literal(true).optional().describe("Only in an example event, which `sendTestDelivery` sends.");

export const webhookParameters = Object.fromEntries(
  Object.entries(HEADERS).map(([name, header]) => [name, { name, in: "header", ...header }]),
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
