// POST /v1/webhooks/subscriptions/{id}/rotate-secret: only this response shows the new secret. During the
// overlap deliveries are also signed with the previous secret, so that a receiver can change over without rejecting any.
import { type ApiRequest, etagOf, notFound, ok } from "@tradepost/http";
import { insertRecord, withIdempotencyKey } from "@tradepost/idempotency";
import type { z } from "zod";
import {
  generateSecret,
  previewOf,
  replaceSecret,
  type rotateSecretInput,
  sealSecret,
} from "../subscriptions/subscriptions.ts";
import { conditionsOf, type Webhooks, writersOf } from "./context.ts";

export function rotateSecret({ db, sealing, onCommit }: Webhooks) {
  return withIdempotencyKey(
    writersOf(db),
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
        await insertRecord(tx, request.idempotencyKey, ok({ ...subscription, signingSecret: null }, headers));
        return ok({ ...subscription, signingSecret: secret }, headers);
      });
      onCommit();
      return response;
    },
  );
}
