// The routes that rotate the signing secret of a subscription, send it an example event, and recover its failed deliveries
// (interface §7).
import {
  type ApiRequest,
  type ApiResponse,
  accepted,
  data,
  etagOf,
  notFound,
  ok,
  route,
} from "@tradepost/http";
import { insertRecord, replaceRecord, withIdempotencyKey } from "@tradepost/idempotency";
import type { TransactionalTenant } from "@tradepost/postgres";
import { z } from "zod";
import { delivery } from "../delivery/delivery.ts";
import { conditionsOf, type RouteContext } from "../route-context.ts";
import type { Sealing } from "../sealing/sealing.ts";
import type { Tables } from "../tables.ts";
import { insertExampleDelivery } from "./example-delivery.ts";
import type { Recoveries } from "./recoveries.ts";
import { countFailed, createRecovery, findRecovery } from "./recovery-store.ts";
import { endHold, makeDue } from "./retry-waiting.ts";
import { generateSecret, previewOf, sealSecret } from "./secret.ts";
import { replaceSecret } from "./subscription-changes.ts";
import { recoverInput, rotateSecretInput, sendTestInput } from "./subscription-input.ts";
import { tag, withSecret } from "./subscription-schema.ts";

/** The parts of the service that the routes use. */
export interface SubscriptionActionContext extends RouteContext {
  readonly sealing: Sealing;
  readonly recoveries: Pick<Recoveries, "run">;
  /** Runs after each commit that left deliveries waiting for admission. */
  readonly onWaiting: () => void;
}

const WRITE = { module: null, role: "admin", scope: null } as const;

const rotateSecret = ({ writers, sealing, onCommit }: SubscriptionActionContext) =>
  route({
    method: "POST",
    path: "/v1/webhooks/subscriptions/:id/rotate-secret",
    ...WRITE,
    isIdempotent: true,
    body: rotateSecretInput,
    bodyIsOptional: true,
    about: {
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
    handle: withIdempotencyKey(
      writers,
      async (tenant, request: ApiRequest<z.output<typeof rotateSecretInput>, undefined>) => {
        const { id, body } = request;
        const secret = generateSecret();
        const sealed = sealSecret(secret, sealing, tenant.tenantId, id);
        const replacement = { sealed, preview: previewOf(secret), ...body };
        const response = await tenant.transaction(async (tx) => {
          const changed = await replaceSecret(tx, id, replacement, sealing, conditionsOf(request));
          if (changed === null) throw notFound("subscription");
          const { signingSecretPreview: _, ...subscription } = changed;
          const headers = { "cache-control": "no-store", etag: etagOf(subscription.version) };
          const repeated = ok({ ...subscription, signingSecret: null }, headers);
          await insertRecord(tx, request.idempotencyKey, repeated);
          return ok({ ...subscription, signingSecret: secret }, headers);
        });
        onCommit();
        return response;
      },
    ),
  });

const sendTest = ({ writers, onWaiting }: SubscriptionActionContext) =>
  route({
    method: "POST",
    path: "/v1/webhooks/subscriptions/:id/test",
    ...WRITE,
    isIdempotent: true,
    body: sendTestInput,
    bodyIsOptional: true,
    about: {
      id: "sendTestDelivery",
      tag,
      summary: "Send an example event",
      description:
        "To this subscription only, with `data.test: true`. The subscription need not subscribe to the type.",
      responses: { 202: data(delivery) },
      ifMatch: true,
    },
    handle: withIdempotencyKey(
      writers,
      async (tenant, request: ApiRequest<z.output<typeof sendTestInput>, undefined>) => {
        const { id, body, idempotencyKey } = request;
        const response = await tenant.transaction(async (tx) => {
          const inserted = await insertExampleDelivery(tx, id, body.type, conditionsOf(request));
          if (inserted === null) throw notFound("subscription");
          await insertRecord(tx, idempotencyKey, accepted(inserted));
          return accepted(inserted);
        });
        onWaiting();
        return response;
      },
    ),
  });

const retryWaiting = ({ writers, onWaiting, onCommit }: SubscriptionActionContext) =>
  route({
    method: "POST",
    path: "/v1/webhooks/subscriptions/:id/retry-waiting",
    ...WRITE,
    isIdempotent: true,
    about: {
      id: "retryWaitingDeliveries",
      tag,
      summary: "Retry now what waits",
      description:
        "What waits for a retry is due now, and a hold ends. Deliveries are sent oldest first, at the endpoint's pace; their attempts are not reset.",
      responses: { 202: data(z.strictObject({ waiting: z.int().nonnegative() })) },
      ifMatch: true,
    },
    handle: withIdempotencyKey(writers, async (tenant, request: ApiRequest<undefined, undefined>) => {
      const response = await tenant.transaction(async (tx) => {
        const waiting = await endHold(tx, request.id, conditionsOf(request));
        if (waiting === null) throw notFound("subscription");
        await insertRecord(tx, request.idempotencyKey, accepted({ waiting }));
        return accepted({ waiting });
      });
      onCommit();
      while (await makeDue(tenant, request.id)) onWaiting();
      onWaiting();
      return response;
    }),
  });

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

const recover = (context: SubscriptionActionContext) =>
  route({
    method: "POST",
    path: "/v1/webhooks/subscriptions/:id/recover",
    ...WRITE,
    isIdempotent: true,
    body: recoverInput,
    about: {
      id: "recoverDeliveries",
      tag,
      summary: "Send failed deliveries again",
      description:
        "Restarts the deliveries that failed at or after `since` and before `until`, each once, after the receiver has been repaired.",
      responses: { 202: data(startedRecovery) },
      ifMatch: true,
    },
    handle: recoverDeliveries(context),
  });

const readRecovery = ({ tenants }: SubscriptionActionContext) =>
  route({
    method: "GET",
    path: "/v1/webhooks/recoveries/:id",
    module: "content",
    role: "viewer",
    scope: "read:content",
    about: {
      id: "getRecovery",
      tag,
      summary: "Get a recovery",
      responses: { 200: data(recovery) },
    },
    handle: async ({ principal, id }) => {
      const found = await findRecovery(tenants.of(principal.tenantId), id);
      if (found === null) throw notFound("recovery");
      return ok(found);
    },
  });

/** In the order of the API description. */
export const subscriptionActionRoutes = [rotateSecret, sendTest, retryWaiting, recover, readRecovery];

type RecoverRequest = ApiRequest<z.output<typeof recoverInput>, undefined>;

function recoverDeliveries({ writers, recoveries, onCommit }: SubscriptionActionContext) {
  return withIdempotencyKey(writers, async (tenant, request: RecoverRequest) => {
    if (request.body.dryRun) return await recoverDry(tenant, request);
    const { idempotencyKey } = request;
    const created = await tenant.transaction(async (tx) => {
      const created = await createRecovery(tx, request.id, request.body, conditionsOf(request));
      if (created === null) throw notFound("subscription");
      await insertRecord(tx, idempotencyKey, accepted({ ...created, requeued: 0 }));
      return created;
    });
    onCommit();
    const response = accepted({ ...created, requeued: await recoveries.run(created.id) });
    await replaceRecord(tenant, idempotencyKey, response);
    return response;
  });
}

async function recoverDry(
  tenant: TransactionalTenant<Tables>,
  request: RecoverRequest,
): Promise<ApiResponse> {
  return await tenant.transaction(async (tx) => {
    const matched = await countFailed(tx, request.id, request.body, conditionsOf(request).ifMatch);
    if (matched === null) throw notFound("subscription");
    const response = accepted({ id: null, matched, requeued: 0 });
    await insertRecord(tx, request.idempotencyKey, response);
    return response;
  });
}
