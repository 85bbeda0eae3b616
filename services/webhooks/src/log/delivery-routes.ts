// The routes that list and show deliveries, and send one again (interface §7).
import { type ApiRequest, accepted, data, listed, ok, page, required, route } from "@tradepost/http";
import { insertRecord, withIdempotencyKey } from "@tradepost/idempotency";
import { z } from "zod";
import { delivery, restarts } from "../delivery/delivery.ts";
import { deliveryOutcomes, outcomes } from "../delivery-status.ts";
import { sightOf } from "../offered-types.ts";
import { ADMIN, READ, type RouteContext } from "../route-context.ts";
import { findDeliveryWithAttempts } from "./delivery-details.ts";
import { subject } from "./event-store.ts";
import { deliveriesQuery, listDeliveries } from "./list-deliveries.ts";

interface DeliveryContext extends RouteContext {
  readonly onWaiting: () => void;
  /** Ids of other subscriptions are ignored. */
  readonly onLeasable: (listenerIds: readonly string[]) => void;
}

const tag = "Webhook deliveries";

const phase = z.int().nonnegative().nullable();

const attempt = z
  .strictObject({
    round: z.int().positive().describe("1 at first; grows with each redelivery."),
    attempt: z.int().positive().describe("From 1 in each round: `X-service-Attempt`."),
    at: z.iso.datetime(),
    durationMs: z.int().nonnegative().describe("In milliseconds."),
    outcome: z.enum(outcomes).describe("`http_status`: a status outside 200 to 299."),
    statusCode: z.int().nullable().describe("Null if there was no response."),
    responseBody: z
      .string()
      .nullable()
      .describe("The first 2 KiB of the response, decoded if it is compressed."),
    address: z
      .string()
      .nullable()
      .describe("The IP address that was called. Null if none was, and for a listener."),
    isReusedConnection: z.boolean().describe("Whether the connection was open already."),
    phases: z
      .strictObject({
        dnsMs: phase.describe("The look-up of the name."),
        connectMs: phase.describe("The TCP connection."),
        tlsMs: phase.describe("The TLS handshake."),
        firstByteMs: phase.describe("From the request to the first byte of the response."),
      })
      .describe(
        "How long each took, in milliseconds. Null if it did not happen, did not end, or was not measured: a success over an open connection is not.",
      ),
  })
  .meta({ id: "Attempt", description: "An attempt to deliver." });

const listedDelivery = delivery
  .extend({
    subject,
    lastAttempt: attempt
      .pick({ at: true, durationMs: true, outcome: true, statusCode: true })
      .nullable()
      .optional()
      .describe("Only with `include=lastAttempt`. Null before the first attempt."),
  })
  .meta({ id: "ListedDelivery", description: "A delivery in a list." });

const list = ({ tenants }: DeliveryContext) =>
  route("GET /v1/webhooks/deliveries", {
    ...READ,
    query: deliveriesQuery,
    about: {
      ...{ id: "listDeliveries", tag, summary: "List deliveries, newest first" },
      description:
        "A request searches at most 10,000 deliveries for `type`, for `status` and for the results of the latest attempt: a page may have fewer deliveries than `limit`, even none, while `nextCursor` is not null.",
      responses: { 200: page(listedDelivery) },
    },
    handle: async ({ principal, query }) =>
      listed(await listDeliveries(tenants.of(principal.tenantId), { ...query, ...sightOf(principal) })),
  });

const request = z
  .strictObject({
    url: z.string().optional().describe("Missing for a listener's delivery."),
    headers: z
      .record(z.string(), z.string())
      .describe("Without the signatures. The values of the subscription's own headers are `•••`."),
    body: z.string().describe("The text whose bytes were sent."),
  })
  .meta({ id: "DeliveryRequest", description: "The latest attempt's request as it was sent." });

const deliveryWithAttempts = delivery
  .extend({
    outcome: z
      .enum(deliveryOutcomes)
      .nullable()
      .describe("Of the latest attempt, or of what waited beyond a bound. Null before the first attempt."),
    attempts: z.array(attempt).describe("Oldest first."),
    request: request.nullable().describe("Null before the first attempt."),
  })
  .meta({ id: "DeliveryWithAttempts", description: "A delivery with all of its attempts." });

const read = ({ tenants }: DeliveryContext) =>
  route("GET /v1/webhooks/deliveries/:id", {
    ...READ,
    about: {
      ...{ id: "getDelivery", tag, summary: "Get a delivery with its attempts" },
      responses: { 200: data(deliveryWithAttempts) },
    },
    handle: async ({ principal, id }) => {
      const found = await findDeliveryWithAttempts(tenants.of(principal.tenantId), id, sightOf(principal));
      return ok(required(found, "delivery"));
    },
  });

const redeliver = ({ writers, onCommit, onWaiting, onLeasable }: DeliveryContext) =>
  route("POST /v1/webhooks/deliveries/:id/redeliver", {
    ...ADMIN,
    isIdempotent: true,
    about: {
      ...{ id: "redeliver", tag, summary: "Deliver again" },
      description:
        "The same delivery with a new set of attempts, whatever its status. `conflict`: its subscription has been deleted, or its type is no longer offered.",
      responses: { 202: data(delivery) },
      errors: ["conflict"],
    },
    handle: withIdempotencyKey(writers, async (tenant, request: ApiRequest<undefined, undefined>) => {
      const { id, idempotencyKey } = request;
      const redelivered = await tenant.transaction(async (tx) => {
        const restarted = await restarts.redeliver(tx, id, request);
        await insertRecord(tx, idempotencyKey, accepted(restarted));
        return restarted;
      });
      onCommit();
      onWaiting();
      onLeasable([redelivered.subscriptionId]);
      return accepted(redelivered);
    }),
  });

export const deliveryRoutes = [list, read, redeliver];
