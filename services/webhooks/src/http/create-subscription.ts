// POST /v1/webhooks/subscriptions: only this response and that of `rotate-secret` show a signing secret.
//
// The body may have secrets, the values of `headers`, so the database gets no plain hash of it: the fingerprint is signed.
import { createHmac, type KeyObject } from "node:crypto";
import { type ApiRequest, created, etagOf } from "@tradepost/http";
import { insertRecord, withIdempotencyKey } from "@tradepost/idempotency";
import { newId } from "@tradepost/runtime";
import { sealHeaders } from "../subscription/headers.ts";
import { generateSecret, previewOf, sealSecret } from "../subscription/secret.ts";
import type { SubscriptionInput } from "../subscription/subscription-input.ts";
import { insertSubscription } from "../subscription/subscription-store.ts";
import { type Webhooks, writersOf } from "./context.ts";

export function createSubscription({ db, sealingKey, onCommit }: Webhooks) {
  const create = withIdempotencyKey(
    writersOf(db),
    async (tenant, request: ApiRequest<SubscriptionInput, undefined>) => {
      const { tenantId } = tenant;
      const { headers = [], ...body } = request.body;
      const id = newId();
      const secret = generateSecret();
      const input = {
        id,
        ...body,
        secretSealed: sealSecret(secret, sealingKey, tenantId, id),
        secretPreview: previewOf(secret),
        headerNames: headers.map(({ name }) => name),
        headersSealed: sealHeaders(headers, sealingKey, tenantId, id),
      };
      const response = await tenant.transaction(async (tx) => {
        const { signingSecretPreview: _, ...subscription } = await insertSubscription(tx, input, request);
        const responseWith = (signingSecret: string | null) =>
          created({ ...subscription, signingSecret }, `/v1/webhooks/subscriptions/${id}`, {
            "cache-control": "no-store",
            etag: etagOf(subscription.version),
          });
        await insertRecord(tx, request.idempotencyKey, responseWith(null));
        return responseWith(secret);
      });
      onCommit();
      return response;
    },
  );
  return (request: ApiRequest<SubscriptionInput, undefined>) => create(withSignedKey(request, sealingKey));
}

function withSignedKey<Body>(
  request: ApiRequest<Body, undefined>,
  key: KeyObject,
): ApiRequest<Body, undefined> {
  const { idempotencyKey } = request;
  if (idempotencyKey === null) return request;
  const fingerprint = createHmac("sha256", key)
    .update("idempotency\n")
    .update(idempotencyKey.fingerprint)
    .digest();
  return { ...request, idempotencyKey: { ...idempotencyKey, fingerprint } };
}
