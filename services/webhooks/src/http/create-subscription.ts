// POST /v1/webhooks/subscriptions: only this response and that of `rotate-secret` show a signing secret.
import { type ApiRequest, type ApiResponse, created } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { newId } from "@tradepost/runtime";
import { generateSecret, previewOf, sealSecret } from "../subscription/secret.ts";
import type { SubscriptionInput } from "../subscription/subscription-input.ts";
import { insertSubscription } from "../subscription/subscription-store.ts";
import type { Webhooks } from "./context.ts";

export function createSubscription({ db, sealingKey, onCommit }: Webhooks) {
  return async (request: ApiRequest<SubscriptionInput, undefined>): Promise<ApiResponse> => {
    const { principal, body } = request;
    const id = newId();
    const signingSecret = generateSecret();
    const { signingSecretPreview: _, ...subscription } = await insertSubscription(
      tenantOf(db, principal.tenantId),
      {
        id,
        ...body,
        secretSealed: sealSecret(signingSecret, sealingKey, principal.tenantId, id),
        secretPreview: previewOf(signingSecret),
      },
      request,
    );
    onCommit();
    return created({ ...subscription, signingSecret }, `/v1/webhooks/subscriptions/${id}`, {
      "cache-control": "no-store",
    });
  };
}
