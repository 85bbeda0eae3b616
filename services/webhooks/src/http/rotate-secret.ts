// POST /v1/webhooks/subscriptions/{id}/rotate-secret: another signing secret, shown in this answer and never again. The
// old one signs beside it for the overlap, so that a receiver can change over without losing a delivery.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import { z } from "zod";
import { generateSecret, previewOf, sealSecret } from "../subscription/secret.ts";
import { replaceSecret } from "../subscription/subscription-changes.ts";
import type { Webhooks } from "./context.ts";

const OVERLAP_HOURS_MAX = 168;

export const rotateSecretInput = z.strictObject({
  overlapHours: z
    .int("must be a whole number")
    .min(0, `must be 0 to ${OVERLAP_HOURS_MAX}`)
    .max(OVERLAP_HOURS_MAX, `must be 0 to ${OVERLAP_HOURS_MAX}`)
    .default(24),
});

export function rotateSecret({ db, sealingKey, onCommit }: Webhooks) {
  return async (request: ApiRequest<z.output<typeof rotateSecretInput>, undefined>): Promise<ApiResponse> => {
    const { principal, id, body } = request;
    const signingSecret = generateSecret();
    const secret = {
      sealed: sealSecret(signingSecret, sealingKey, principal.tenantId, id),
      preview: previewOf(signingSecret),
      ...body,
    };
    const changed = await replaceSecret(db, id, secret, request);
    if (changed === null) throw notFound("subscription");
    onCommit();
    const { signingSecretPreview: _, ...subscription } = changed;
    return ok({ ...subscription, signingSecret }, { "cache-control": "no-store" });
  };
}
