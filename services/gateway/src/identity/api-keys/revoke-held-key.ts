// Whoever holds a key may end it, without a credential (interface §25).
import { type ApiRequest, type Client, data, ok, route } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import type { Kysely } from "kysely";
import { z } from "zod";
import { recordAudit } from "../../audit-log/audit-log.ts";
import type { ReadClient } from "../../client.ts";
import type { Tables } from "../../tables.ts";
import type { CountAuthFailure } from "../credential.ts";
import type { FindKey } from "../lookups.ts";
import { NO_STORE } from "../responses.ts";
import { asAttempt, type SignInLimit } from "../users/sign-in-limit.ts";
import { parseApiKey, verifySecret } from "./api-key.ts";
import { revokeApiKey } from "./api-key-store.ts";

export interface RevocationContext {
  readonly db: Kysely<Tables>;
  readonly findKey: FindKey;
  readonly signInLimit: SignInLimit;
  readonly countAuthFailure: CountAuthFailure;
  readonly readClient: ReadClient;
}

const KEY_CHARACTERS_MAX = 200;
const BODY_BYTES_MAX = 4 * 1024;
// In place of the e-mail in the limits of an address.
const ACCOUNT = "API key";

const input = z.strictObject({
  key: z
    .string("must be a string")
    .max(KEY_CHARACTERS_MAX, `must be at most ${KEY_CHARACTERS_MAX} characters`),
});

export const revokeHeldKeyRoute = (context: RevocationContext) =>
  route("POST /v1/auth/revoke-key", {
    ...{ module: null, role: "anyone", scope: null, bodyBytesMax: BODY_BYTES_MAX },
    body: input,
    about: {
      ...{ id: "revokeHeldKey", tag: "API keys", summary: "Revoke a leaked API key" },
      description:
        "Needs nothing but the whole key. `revoked` is true if its secret is right, also if the key was revoked or has expired before. Wrong keys are limited like failed sign-ins.",
      responses: { 200: data(z.strictObject({ revoked: z.boolean() })) },
    },
    handle: async ({ body, raw, requestId }: ApiRequest<z.output<typeof input>, undefined>) => {
      const client = context.readClient(raw);
      const work = () => revoke(context, body.key, { client, requestId });
      const revoked = await asAttempt(
        context.signInLimit,
        [ACCOUNT, client],
        work,
        (isRevoked) => !isRevoked,
      );
      if (!revoked) context.countAuthFailure("api_key");
      return ok({ revoked }, NO_STORE);
    },
  });

/** A malformed key takes the same time as an unknown one. */
async function revoke(
  { db, findKey }: RevocationContext,
  text: string,
  { client, requestId }: { readonly client: Client; readonly requestId: string },
): Promise<boolean> {
  const { keyId, secret } = parseApiKey(text) ?? { keyId: "", secret: "" };
  const found = await findKey(keyId);
  const isSecretRight = verifySecret(secret, found?.secretHash);
  if (found === null || !isSecretRight) return false;
  const { id, tenantId, label } = found;
  await tenantOf(db, tenantId).transaction(async (tx) => {
    const revoked = await revokeApiKey(tx, id);
    if (!revoked?.hasChanged) return;
    const entry = { action: "api_key.revoked", target: { type: "api_key", id }, changes: { keyId, label } };
    const actor = { type: "holder", id, name: label } as const;
    await recordAudit(tx, entry, { principal: { tenantId, actor, client }, requestId });
  });
  return true;
}
