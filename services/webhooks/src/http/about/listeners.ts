// Describes the operations on listeners (interface §12). Pure.
import { subscribableType } from "@tradepost/event-catalog";
import { type About, data, page } from "@tradepost/http";
import { z } from "zod";
import { resultWithoutResponse, resultWithResponse } from "../../listeners/listeners.ts";
import { deleted } from "./deleted.ts";
import { delivery } from "./deliveries.ts";

const count = z.int().min(0).max(10_000);

const listenerFields = {
  id: z.uuid(),
  name: z.string(),
  events: z.array(subscribableType),
  active: z.boolean().describe("False once it has expired, until the next lease."),
  expiresInHours: z.int().describe("How long it lives without a lease."),
  expiresAt: z.iso.datetime(),
  createdAt: z.iso.datetime(),
};

const listener = z
  .strictObject({
    ...listenerFields,
    signingSecretPreview: z.string().describe("The first 8 characters of the signing secret."),
    waiting: z
      .strictObject({ pending: count, retrying: count, leased: count, paused: count })
      .describe("Its open deliveries, each counted once, of the newest 10,000."),
  })
  .meta({ id: "Listener", description: "A subscription without a URL, whose deliveries are leased." });

const newListener = z
  .strictObject({
    ...listenerFields,
    signingSecret: z.string().nullable().describe("Null in a repeated response."),
  })
  .meta({ id: "NewListener" });

const leasedDelivery = z
  .strictObject({
    deliveryId: z.uuid(),
    attempt: z.int().min(1),
    leasedUntil: z.iso.datetime(),
    headers: z.record(z.string(), z.string()).describe("The headers of the request, with its signatures."),
    body: z.string().describe("The body of the request; its UTF-8 bytes are signed."),
  })
  .meta({ id: "LeasedDelivery", description: "A whole signed request, to be made before the lease ends." });

const tag = "Listeners";

export const listenerAbouts = {
  create: {
    ...{ id: "createListener", tag, summary: "Create a listener" },
    description: "Only this response shows the signing secret.",
    responses: { 201: data(newListener) },
    location: true,
    errors: ["listener_limit"],
  },
  list: {
    ...{ id: "listListeners", tag, summary: "List listeners, newest first" },
    responses: { 200: page(listener) },
  },
  get: { ...{ id: "getListener", tag, summary: "Get a listener" }, responses: { 200: data(listener) } },
  delete: {
    ...{ id: "deleteListener", tag, summary: "Delete a listener" },
    description: "Its open deliveries are cancelled; their log remains.",
    responses: { 200: data(deleted) },
  },
  lease: {
    ...{ id: "leaseDeliveries", tag, summary: "Lease the deliveries that are due, oldest first" },
    description:
      "Waits up to `waitSeconds` for the first one. A lease lasts 30 seconds; afterwards the delivery can be leased again as the same attempt. Each lease moves the listener's `expiresAt`.",
    responses: { 200: data(z.array(leasedDelivery)) },
  },
  report: {
    ...{ id: "reportResult", tag, summary: "Report the result of an attempt at a leased delivery" },
    description:
      "A status from 200 to 299 acknowledges the delivery; anything else fails the attempt. The same result again changes nothing.",
    body: z.union([resultWithResponse, resultWithoutResponse]),
    responses: { 200: data(delivery) },
    errors: ["conflict"],
  },
  redeliver: {
    ...{ id: "redeliverToListener", tag, summary: "Redeliver a delivery of a listener" },
    description: "It can be leased again, from attempt 1 of the next round.",
    responses: { 202: data(delivery) },
  },
} satisfies Record<string, About>;
