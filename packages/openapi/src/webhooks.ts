// The `webhooks` section of the document: the requests that a tenant's receivers get (interface §7). Pure.
import { eventData, eventTypes } from "@tradepost/event-catalog";
import { z } from "zod";
import { type Components, jsonSchemaOf, strictObject } from "./json-schema.ts";

const HEADERS: Readonly<Record<string, string>> = {
  "X-service-Event": "The event type.",
  "X-service-Delivery": "The delivery's id: the same in every attempt.",
  "X-service-Signature":
    "`sha256=` and the HMAC-SHA256 of the body in hex; the key is the whole secret, with `whsec_`.",
  "X-service-Signature-Previous": "The same with the previous secret, during the overlap after a rotation.",
  "X-service-Attempt": "The number of the attempt, from 1.",
  "X-service-Event-Id": "The event's id.",
  "X-service-Event-Time": "When the change was committed, ISO 8601.",
  "webhook-id": "The delivery's id, as Standard Webhooks names it.",
  "webhook-timestamp": "The time of the attempt in seconds, as Standard Webhooks names it.",
  "webhook-signature": "The signature of Standard Webhooks.",
};

// Only an example that an admin sent has it.
const test = z.literal(true).optional().describe("Only in an example event, which `sendTestDelivery` sends");

/** The headers of a delivery: the document's `components.parameters`. */
export const webhookParameters = Object.fromEntries(
  Object.entries(HEADERS).map(([name, description]) => [
    name,
    {
      name,
      in: "header",
      required: name !== "X-service-Signature-Previous",
      description,
      schema: { type: "string" },
    },
  ]),
);

/** Describes the delivery of each subscribable event type. */
export function webhooksOf(components: Components): Record<string, unknown> {
  const types = eventTypes.filter(({ type, subscribable }) => subscribable && type in eventData);
  return Object.fromEntries(types.map((event) => [event.type, webhookOf(event, components)]));
}

function webhookOf({ type, description }: (typeof eventTypes)[number], components: Components) {
  const { schema, example } = eventData[type] ?? {};
  if (schema === undefined) throw new Error(`no schema of ${type}`);
  const body = strictObject({
    id: { type: "string", format: "uuid", description: "The delivery's id." },
    type: { type: "string", const: type },
    tenant_id: { type: "string", format: "uuid" },
    data: jsonSchemaOf(schema.extend({ test }), "output", components),
    delivered_at: { type: "string", format: "date-time", description: "The time of the attempt." },
  });
  return {
    post: {
      operationId: `receive_${type.replaceAll(".", "_")}`,
      tags: ["Events"],
      summary: description,
      security: [],
      parameters: Object.keys(HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
      requestBody: {
        required: true,
        content: { "application/json": { schema: body, example: exampleOf(type, example) } },
      },
      responses: {
        "2XX": { description: "Received. Any other status, or none within 10 s, is a failed attempt." },
      },
    },
  };
}

function exampleOf(type: string, data: unknown) {
  return {
    id: "0198c5a2-8000-7000-8000-000000000001",
    type,
    tenant_id: "0198c5a0-0000-7000-8000-000000000001",
    data,
    delivered_at: "2026-08-20T09:30:00.500Z",
  };
}
