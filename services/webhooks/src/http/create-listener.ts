// POST /v1/webhooks/listeners: only this response shows the signing secret.
import { type ApiRequest, created } from "@tradepost/http";
import { insertRecord, withIdempotencyKey } from "@tradepost/idempotency";
import { newId } from "@tradepost/runtime";
import { insertListener, type ListenerInput } from "../listeners/listeners.ts";
import { generateSecret, previewOf, sealSecret } from "../subscriptions/subscriptions.ts";
import { type Webhooks, writersOf } from "./context.ts";

export function createListener({ db, sealing, onCommit }: Webhooks) {
  return withIdempotencyKey(writersOf(db), async (tenant, request: ApiRequest<ListenerInput, undefined>) => {
    const { tenantId } = tenant;
    const id = newId();
    const secret = generateSecret();
    const input = {
      ...{ id, ...request.body },
      secretSealed: sealSecret(secret, sealing, tenantId, id),
      secretPreview: previewOf(secret),
    };
    const response = await tenant.transaction(async (tx) => {
      const listener = await insertListener(tx, input, request);
      const responseWith = (signingSecret: string | null) =>
        created({ ...listener, signingSecret }, `/v1/webhooks/listeners/${id}`, {
          "cache-control": "no-store",
        });
      await insertRecord(tx, request.idempotencyKey, responseWith(null));
      return responseWith(secret);
    });
    onCommit();
    return response;
  });
}
