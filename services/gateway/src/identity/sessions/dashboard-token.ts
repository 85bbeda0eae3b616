// The dashboard token: a JWT for 15 minutes that names user, tenant and session (interface §2).
import { isUuid } from "@tradepost/http";
import jwt from "jsonwebtoken";
import type { SigningKey } from "../../config.ts";

export interface TokenClaims {
  readonly userId: string;
  readonly tenantId: string;
  readonly sessionId: string;
}

const ISSUER = "tradepost";
const AUDIENCE = "tradepost.api";
const LIFETIME_SECONDS = 15 * 60;

export function signDashboardToken(claims: TokenClaims, keys: readonly SigningKey[]) {
  const [signer] = keys;
  if (signer === undefined) throw new Error("there is no key to sign with");
  const issuedAt = Math.floor(Date.now() / 1000);
  const expiresAt = issuedAt + LIFETIME_SECONDS;
  const token = jwt.sign(
    { tid: claims.tenantId, sid: claims.sessionId, iat: issuedAt, exp: expiresAt },
    signer.secret,
    { algorithm: "HS256", keyid: signer.id, issuer: ISSUER, audience: AUDIENCE, subject: claims.userId },
  );
  return { token, expiresAt: new Date(expiresAt * 1000) };
}

/** Returns null unless the gateway signed it for this API and it is valid now. Accepts only HS256. */
export function verifyDashboardToken(token: string, keys: readonly SigningKey[]): TokenClaims | null {
  try {
    const keyId = jwt.decode(token, { complete: true })?.header.kid;
    const key = keys.find(({ id }) => id === keyId);
    if (key === undefined) return null;
    const claims = jwt.verify(token, key.secret, {
      algorithms: ["HS256"],
      issuer: ISSUER,
      audience: AUDIENCE,
    });
    if (typeof claims === "string" || claims.exp === undefined) return null;
    const { sub: userId, tid: tenantId, sid: sessionId } = claims as Record<string, unknown>;
    return isUuid(userId) && isUuid(tenantId) && isUuid(sessionId) ? { userId, tenantId, sessionId } : null;
  } catch {
    return null;
  }
}
