// POST /v1/webhooks/subscriptions/{id}/rotate-secret: only this response shows the new secret. During the
// overlap deliveries are also signed with the previous secret, so that a receiver can change over without rejecting any.
import { type ApiRequest, type ApiResponse, etagOf, notFound, ok } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import type { z } from "zod";
import { generateSecret, previewOf, sealSecret } from "../subscription/secret.ts";
import { replaceSecret } from "../subscription/subscription-changes.ts";
import type { rotateSecretInput } from "../subscription/subscription-input.ts";
import { conditionsOf, type Webhooks } from "./context.ts";

export function rotateSecret({ db, sealingKey, onCommit }: Webhooks) {
  return async (request: ApiRequest<z.output<typeof rotateSecretInput>, undefined>): Promise<ApiResponse> => {
    const { principal, id, body } = request;
    const signingSecret = generateSecret();
    const secret = {
      sealed: sealSecret(signingSecret, sealingKey, principal.tenantId, id),
      preview: previewOf(signingSecret),
      ...body,
    };
    const changed = await tenantOf(db, principal.tenantId).transaction((tx) =>
      replaceSecret(tx, id, secret, conditionsOf(request)),
    );
    if (changed === null) throw notFound("subscription");
    onCommit();
    const { signingSecretPreview: _, ...subscription } = changed;
    return ok(
      { ...subscription, signingSecret },
      { "cache-control": "no-store", etag: etagOf(subscription.version) },
    );
  };
}
