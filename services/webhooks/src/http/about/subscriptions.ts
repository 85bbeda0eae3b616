// Describes the operations on subscriptions (interface §7). Pure.
import { subscribableType } from "@tradepost/event-catalog";
import { type About, data, page } from "@tradepost/http";
import { z } from "zod";
import { deleted } from "./deleted.ts";
import { delivery } from "./deliveries.ts";

const tag = "Webhook subscriptions";

const health = z
  .strictObject({
    status: z
      .enum(["healthy", "failing"])
      .describe("`failing` after 5 failed attempts in a row, `healthy` again after one success."),
    consecutiveFailures: z.int().nonnegative(),
    lastSuccessAt: z.iso.datetime().nullable(),
    lastFailureAt: z.iso.datetime().nullable(),
    lastError: z
      .string()
      .nullable()
      .describe("The outcome of the latest failed attempt, such as `timeout` or `http_status 500`."),
  })
  .meta({ id: "EndpointHealth", description: "How the latest attempts to deliver went." });

const subscription = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    url: z.string(),
    events: z.array(subscribableType),
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
    createdAt: z.iso.datetime(),
    version: z.int().positive().describe("Grows with every change, but not with `health`; the `ETag`."),
  })
  .meta({ id: "Subscription", description: "A webhook subscription with the health of its endpoint." });

const withSecret = subscription
  .omit({ signingSecretPreview: true })
  .extend({
    signingSecret: z
      .string()
      .nullable()
      .describe(
        "The whole secret, shown only once: null in a repeated response to the same `Idempotency-Key`.",
      ),
  })
  .meta({ id: "SubscriptionWithSecret", description: "A subscription with its new signing secret." });

const recovery = z
  .strictObject({
    id: z.uuid(),
    subscriptionId: z.uuid(),
    since: z.iso.datetime().describe("Inclusive."),
    until: z.iso.datetime().describe("Exclusive."),
    matched: z.int().nonnegative().describe("The failed deliveries of the period."),
    requeued: z.int().nonnegative().describe("How many of them wait for an attempt again so far."),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable().describe("Null while it goes on."),
  })
  .meta({ id: "Recovery", description: "How far a recovery has come." });

const startedRecovery = recovery
  .pick({ matched: true, requeued: true })
  .extend({ id: z.uuid().nullable().describe("For `getRecovery`; null for a dry run.") })
  .meta({ id: "StartedRecovery", description: "A recovery as far as it has come at once." });

export const subscriptionAbouts = {
  create: {
    id: "createSubscription",
    tag,
    summary: "Create a subscription",
    description:
      "The response has the signing secret, which no later one shows. A tenant has at most 50 subscriptions.",
    responses: { 201: data(withSecret) },
    location: true,
    errors: ["subscription_limit"],
    etag: true,
  },
  list: {
    id: "listSubscriptions",
    tag,
    summary: "List subscriptions, newest first",
    responses: { 200: page(subscription) },
  },
  get: {
    id: "getSubscription",
    tag,
    summary: "Get a subscription",
    description: "`If-None-Match` is ignored, because `health` changes without the version.",
    responses: { 200: data(subscription) },
    etag: true,
    ignoresIfNoneMatch: true,
  },
  update: {
    id: "updateSubscription",
    tag,
    summary: "Change, pause or resume a subscription",
    description:
      "`active: false` pauses it: nothing is sent, and open and new deliveries are kept. `active: true` sends them, oldest first. `headers` replaces the whole set; a value of `•••` keeps the value that the header has, and null removes all. If `url` changes its scheme, host or port, the values must be sent again, or it is 422.",
    responses: { 200: data(subscription) },
    etag: true,
    ifMatch: true,
  },
  delete: {
    id: "deleteSubscription",
    tag,
    summary: "Delete a subscription",
    description: "Its open deliveries are cancelled; their log stays.",
    responses: { 200: data(deleted) },
    ifMatch: true,
  },
  rotateSecret: {
    id: "rotateSubscriptionSecret",
    tag,
    summary: "Replace the signing secret",
    description:
      "Deliveries are signed with the previous secret too, until `previousSecretUntil`. While an earlier secret still signs, it is 409 `rotation_in_progress`, unless `force` is true: that ends it.",
    responses: { 200: data(withSecret) },
    errors: ["rotation_in_progress"],
    etag: true,
    ifMatch: true,
  },
  sendTest: {
    id: "sendTestDelivery",
    tag,
    summary: "Send an example event",
    description:
      "To this subscription only, with `data.test: true`. The subscription need not subscribe to the type.",
    responses: { 202: data(delivery) },
    ifMatch: true,
  },
  recover: {
    id: "recoverDeliveries",
    tag,
    summary: "Send failed deliveries again",
    description:
      "Restarts the deliveries that failed at or after `since` and before `until`, each once, after the receiver has been repaired.",
    responses: { 202: data(startedRecovery) },
    ifMatch: true,
  },
  getRecovery: {
    id: "getRecovery",
    tag,
    summary: "Get a recovery",
    responses: { 200: data(recovery) },
  },
} satisfies Record<string, About>;
