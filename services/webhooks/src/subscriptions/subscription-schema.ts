// The API description of a subscription (interface §7). Pure.
import { subscribableType } from "@tradepost/event-catalog";
import { z } from "zod";
import { shownFilter } from "../event-filter.ts";
import { payloads } from "./subscription-input.ts";

export const tag = "Webhook subscriptions";

const health = z
  .strictObject({
    status: z
      .enum(["healthy", "failing", "down"])
      .describe(
        "`failing` after 5 failures in a row, `down` after an hour of at least 8, `healthy` after a success.",
      ),
    consecutiveFailures: z.int().nonnegative(),
    lastSuccessAt: z.iso.datetime().nullable(),
    lastFailureAt: z.iso.datetime().nullable(),
    lastError: z
      .string()
      .nullable()
      .describe("The outcome of the latest failed attempt, such as `timeout` or `http_status 500`."),
    downSince: z.iso.datetime().nullable(),
    heldUntil: z.iso
      .datetime()
      .nullable()
      .describe("No attempt starts before this time: the endpoint asked for it, or it is down."),
    waiting: z
      .int()
      .nonnegative()
      .describe("Deliveries that are neither closed, paused nor being sent, counted up to 1,000,000."),
  })
  .meta({ id: "EndpointHealth", description: "How the latest attempts to deliver went." });

export const subscription = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    url: z.string(),
    events: z.array(subscribableType),
    inactiveEvents: z
      .array(subscribableType)
      .describe("Types of `events` that the operator offers no more: nothing of them is delivered."),
    filter: shownFilter.nullable().describe("Which of these events are sent; null for all."),
    active: z.boolean().describe("False while it is paused: nothing is sent, and nothing is lost."),
    headers: z
      .record(z.string(), z.literal("•••"))
      .describe("The headers of its own that are sent with every attempt. Their values are never shown."),
    signingSecretPreview: z.string().describe("The first 8 characters of the secret."),
    previousSecretUntil: z.iso
      .datetime()
      .nullable()
      .describe("After a rotation, until when the previous secret signs too."),
    health,
    maxPerSecond: z.int().nullable().describe("The most attempts a second; null for no limit."),
    maxInFlight: z.int().nullable().describe("The most attempts at a time; null for no limit."),
    payload: z
      .enum(payloads)
      .describe("`thin`: deliveries have only what identifies the resource, and `changedFields`."),
    payloadVersion: z.literal(1).describe("The version of the request's body and headers."),
    createdAt: z.iso.datetime(),
    version: z.int().positive().describe("Grows with every change, but not with `health`; the `ETag`."),
  })
  .meta({ id: "Subscription", description: "A webhook subscription with the health of its endpoint." });

export const withSecret = subscription
  .omit({ signingSecretPreview: true })
  .extend({
    signingSecret: z
      .string()
      .nullable()
      .describe("Shown only once: null in a repeated response to the same `Idempotency-Key`."),
  })
  .meta({ id: "SubscriptionWithSecret", description: "A subscription with its new signing secret." });

export const deleted = z
  .strictObject({ id: z.uuid(), deleted: z.literal(true) })
  .meta({ id: "Deleted", description: "The resource is gone." });
