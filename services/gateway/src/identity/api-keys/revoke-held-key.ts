// Whoever holds a key may end it, without a credential (interface §25).
import { data, ok, route } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import { z } from "zod";
import { ANYONE } from "../../requirements.ts";
import type { IdentityContext } from "../context.ts";
import type { AnonymousRequest } from "../record-about-user.ts";
import { NO_STORE } from "../responses.ts";
import { asAttempt } from "../users/sign-in-limit.ts";
import { parseApiKey, verifySecret } from "./api-key.ts";
import { revokeKey } from "./create-key.ts";

const KEY_CHARACTERS_MAX = 200;
const BODY_BYTES_MAX = 4 * 1024;
// The limits count this in place of an e-mail.
const ACCOUNT = "API key";

const input = z.strictObject({
  key: z
    .string("must be a string")
    .max(KEY_CHARACTERS_MAX, `must be at most ${KEY_CHARACTERS_MAX} characters`),
});

export const revokeHeldKeyRoute = (context: IdentityContext) =>
  route("POST /v1/auth/revoke-key", {
    ...ANYONE,
    bodyBytesMax: BODY_BYTES_MAX,
    body: input,
    about: {
      ...{ id: "revokeHeldKey", tag: "API keys", summary: "Revoke a leaked API key" },
      description:
        "Needs nothing but the whole key. `revoked` is true if its secret is right, also if the key was revoked or has expired before. Wrong keys are limited like failed sign-ins.",
      responses: { 200: data(z.strictObject({ revoked: z.boolean() })) },
    },
    handle: async ({ body, raw, requestId }) => {
      const client = context.readClient(raw);
      const work = () => revoke(context, body.key, { client, requestId });
      const hasFailed = (isRevoked: boolean) => !isRevoked;
      const revoked = await asAttempt(context.signInLimit, [ACCOUNT, client], work, hasFailed);
      if (!revoked) context.countAuthFailure("api_key");
      return ok({ revoked }, NO_STORE);
    },
  });

/** A malformed key takes the same time as an unknown one. */
async function revoke(
  { db, findKey }: IdentityContext,
  text: string,
  { client, requestId }: AnonymousRequest,
): Promise<boolean> {
  const { keyId, secret } = parseApiKey(text) ?? { keyId: "", secret: "" };
  const found = await findKey(keyId);
  const isSecretRight = verifySecret(secret, found?.secretHash);
  if (found === null || !isSecretRight) return false;
  const { id, tenantId, label } = found;
  const cause = {
    principal: { tenantId, actor: { type: "holder", id, name: label }, client },
    requestId,
  } as const;
  await tenantOf(db, tenantId).transaction((tx) => revokeKey(tx, id, cause));
  return true;
}
