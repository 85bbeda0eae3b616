// The routes of a subscription's secret, example events and waiting deliveries (interface §7, §17).
import { type ApiRequest, accepted, data, etagOf, ok, required, route } from "@tradepost/http";
import { insertRecord, recording, withIdempotencyKey } from "@tradepost/idempotency";
import { QUOTA_EXCEEDED } from "@tradepost/messaging";
import { z } from "zod";
import { delivery, waiting } from "../delivery/delivery.ts";
import type { Sealing } from "../endpoint/endpoint.ts";
import { permitTypes } from "../offered-types.ts";
import { ADMIN, conditionsOf, type RouteContext } from "../route-context.ts";
import { insertExampleDelivery } from "./example-delivery.ts";
import { countWaiting, endHold } from "./retry-waiting.ts";
import { replaceSecret } from "./subscription-changes.ts";
import { rotateSecretInput, sendTestInput } from "./subscription-input.ts";
import { tag, withSecret } from "./subscription-schema.ts";

interface SubscriptionActionContext extends RouteContext {
  readonly sealing: Sealing;
  readonly onWaiting: () => void;
}

const rotateSecret = ({ writers, sealing, onCommit }: SubscriptionActionContext) =>
  route("POST /v1/webhooks/subscriptions/:id/rotate-secret", {
    ...ADMIN,
    isIdempotent: true,
    body: rotateSecretInput,
    bodyIsOptional: true,
    about: {
      ...{ id: "rotateSubscriptionSecret", tag, summary: "Replace the signing secret" },
      description:
        "Deliveries are signed with the previous secret too, until `previousSecretUntil`. While an earlier secret still signs, it is 409 `rotation_in_progress`, unless `force` is true: that ends it.",
      responses: { 200: data(withSecret) },
      errors: ["rotation_in_progress"],
      etag: true,
      ifMatch: true,
    },
    handle: recording(
      { tenants: writers, onCommit },
      async (tx, request: ApiRequest<z.output<typeof rotateSecretInput>, undefined>) => {
        const { id, body } = request;
        const { secret, ...made } = sealing.newSecret(tx.tenantId, id);
        const changed = await replaceSecret(tx, id, { ...made, ...body }, sealing, conditionsOf(request));
        const { signingSecretPreview: _, ...subscription } = required(changed, "subscription");
        const headers = { "cache-control": "no-store", etag: etagOf(subscription.version) };
        const responseWith = (signingSecret: string | null) =>
          ok({ ...subscription, signingSecret }, headers);
        return { response: responseWith(secret), repeated: responseWith(null) };
      },
    ),
  });

const sendTest = ({ writers, more, onWaiting }: SubscriptionActionContext) =>
  route("POST /v1/webhooks/subscriptions/:id/test", {
    ...ADMIN,
    isIdempotent: true,
    body: sendTestInput(more),
    bodyIsOptional: true,
    about: {
      ...{ id: "sendTestDelivery", tag, summary: "Send an example event" },
      description: "To this subscription only, with `data.test: true`, whatever its types.",
      responses: { 202: data(delivery) },
      errors: ["module_disabled", QUOTA_EXCEEDED],
      ifMatch: true,
    },
    handle: recording(
      { tenants: writers, onCommit: onWaiting },
      async (tx, request: ApiRequest<z.output<ReturnType<typeof sendTestInput>>, undefined>) => {
        const { id, body, principal } = request;
        permitTypes(principal, body.type === undefined ? [] : [body.type]);
        const inserted = await insertExampleDelivery(tx, id, body.type, conditionsOf(request));
        return accepted(required(inserted, "subscription"));
      },
    ),
  });

const retryWaiting = ({ writers, onWaiting, onCommit }: SubscriptionActionContext) =>
  route("POST /v1/webhooks/subscriptions/:id/retry-waiting", {
    ...ADMIN,
    isIdempotent: true,
    about: {
      ...{ id: "retryWaitingDeliveries", tag, summary: "Retry now what waits" },
      description:
        "What waits for a retry is due now, and a hold ends. Deliveries are sent oldest first, at the endpoint's pace; their attempts are not reset.",
      responses: { 202: data(z.strictObject({ waiting: z.int().nonnegative() })) },
      ifMatch: true,
    },
    handle: withIdempotencyKey(
      writers,
      async (tenant, request: ApiRequest<undefined, undefined>) => {
        const { id, idempotencyKey } = request;
        const { ifMatch, cause } = conditionsOf(request);
        const count = required(await countWaiting(tenant, id, ifMatch), "subscription");
        // The hold ends last: if the process dies before, the repeated request makes the rest due.
        const makeNextDue = (after?: waiting.Place) =>
          tenant.transaction((tx) => waiting.makeDue(tx, id, after));
        let place = await makeNextDue();
        while (place !== null) {
          onWaiting();
          place = await makeNextDue(place);
        }
        const response = accepted({ waiting: count });
        await tenant.transaction(async (tx) => {
          await endHold(tx, id, count, cause);
          await insertRecord(tx, idempotencyKey, response);
        });
        onCommit();
        onWaiting();
        return response;
      },
      { looksFirst: true },
    ),
  });

export const subscriptionActionRoutes = [rotateSecret, sendTest, retryWaiting];
