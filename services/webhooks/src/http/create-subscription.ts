// POST /v1/webhooks/subscriptions: only this response and that of `rotate-secret` show a signing secret.
//
// The body may have secrets, the values of `headers`, so the database gets no plain hash of it: the fingerprint is signed. While
// the sealing keys rotate, it is tried with each.
import {
  ApiError,
  type ApiRequest,
  type ApiResponse,
  created,
  etagOf,
  type IdempotencyKey,
} from "@tradepost/http";
import { insertRecord, withIdempotencyKey } from "@tradepost/idempotency";
import { newId } from "@tradepost/runtime";
import {
  generateSecret,
  insertSubscription,
  previewOf,
  type SubscriptionInput,
  sealHeaders,
  sealSecret,
} from "../subscriptions/subscriptions.ts";
import { type Webhooks, writersOf } from "./context.ts";

export function createSubscription({ db, sealing, onCommit }: Webhooks) {
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
        secretSealed: sealSecret(secret, sealing, tenantId, id),
        secretPreview: previewOf(secret),
        headerNames: headers.map(({ name }) => name),
        headersSealed: sealHeaders(headers, sealing, tenantId, id),
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
  return async (request: ApiRequest<SubscriptionInput, undefined>): Promise<ApiResponse> => {
    const { idempotencyKey } = request;
    if (idempotencyKey === null) return await create(request);
    let reused: unknown;
    for (const fingerprint of sealing.sign(messageOf(idempotencyKey))) {
      try {
        return await create({ ...request, idempotencyKey: { ...idempotencyKey, fingerprint } });
      } catch (error) {
        if (!(error instanceof ApiError && error.code === "idempotency_key_reused")) throw error;
        reused = error;
      }
    }
    throw reused;
  };
}

function messageOf({ fingerprint }: IdempotencyKey): Buffer {
  return Buffer.concat([Buffer.from("idempotency\n"), fingerprint]);
}
