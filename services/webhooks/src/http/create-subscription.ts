// POST /v1/webhooks/subscriptions: only this response and that of `rotate-secret` show a signing secret.
import { type ApiRequest, type ApiResponse, created, etagOf } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { sealHeaders } from "../subscription/headers.ts";
import { generateSecret, previewOf, sealSecret } from "../subscription/secret.ts";
import type { SubscriptionInput } from "../subscription/subscription-input.ts";
import { insertSubscription } from "../subscription/subscription-store.ts";
import type { Webhooks } from "./context.ts";

export function createSubscription({ db, sealingKey, onCommit }: Webhooks) {
  return async (request: ApiRequest<SubscriptionInput, undefined>): Promise<ApiResponse> => {
    const { tenantId } = request.principal;
    const { headers = [], ...body } = request.body;
    const id = newId();
    const signingSecret = generateSecret();
    const input = {
      id,
      ...body,
      secretSealed: sealSecret(signingSecret, sealingKey, tenantId, id),
      secretPreview: previewOf(signingSecret),
      headerNames: headers.map(({ name }) => name),
      headersSealed: sealHeaders(headers, sealingKey, tenantId, id),
    };
    const { signingSecretPreview: _, ...subscription } = await tenantOf(db, tenantId).transaction((tx) =>
      insertSubscription(tx, input, request),
    );
    onCommit();
    return created({ ...subscription, signingSecret }, `/v1/webhooks/subscriptions/${id}`, {
      "cache-control": "no-store",
      etag: etagOf(subscription.version),
    });
  };
}
