// Establishes who is calling, from the database on every request: the first stage of every call.
import { ApiError, type Identify, type Principal } from "@tradepost/http";
import type { Pool } from "pg";
import { isGenuine } from "../api-key/api-key.ts";
import { findKeyIdentity } from "../api-key/key-identity.ts";
import type { LastUsed } from "../api-key/last-used.ts";
import type { SigningKey } from "../config.ts";
import { verifyDashboardToken } from "../session/dashboard-token.ts";
import { findSessionIdentity } from "../session/session-identity.ts";
import { readCredential } from "./credential.ts";

/** Out: an Identify that throws one and the same 401, whatever is wrong with the credential (contract §1, §2). */
export function authenticate(options: {
  pool: Pool;
  signingKeys: readonly SigningKey[];
  lastUsed: LastUsed;
}): Identify {
  return async (req) => {
    const credential = readCredential(req.headersDistinct.authorization ?? []);
    const principal =
      credential?.kind === "api_key"
        ? await principalOfKey(credential, options)
        : await principalOfToken(credential?.token, options);
    if (principal === null)
      throw new ApiError("unauthorized", "A valid API key or dashboard token is needed.");
    return principal;
  };
}

async function principalOfKey(
  { keyId, secret }: { keyId: string; secret: string },
  { pool, lastUsed }: { pool: Pool; lastUsed: LastUsed },
): Promise<Principal | null> {
  const key = await findKeyIdentity(pool, keyId);
  const isSecretRight = isGenuine(secret, key?.secretHash);
  if (key === null || !isSecretRight || !key.isLive) return null;
  lastUsed.note(key.id);
  return {
    tenantId: key.tenantId,
    role: "editor",
    actor: { type: "api_key", id: key.id, name: key.label },
    scopes: key.scopes,
    modules: key.modules,
  };
}

async function principalOfToken(
  token: string | undefined,
  { pool, signingKeys }: { pool: Pool; signingKeys: readonly SigningKey[] },
): Promise<Principal | null> {
  const claims = token === undefined ? null : verifyDashboardToken(token, signingKeys);
  const user = claims && (await findSessionIdentity(pool, claims));
  if (user === null) return null;
  return {
    tenantId: user.tenantId,
    role: user.role,
    actor: { type: "user", id: user.id, name: user.name },
    scopes: [],
    modules: user.modules,
  };
}
