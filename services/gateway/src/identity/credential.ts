// The credential of a request: an API key or a dashboard token in its Authorization header.
import type { IncomingMessage } from "node:http";
import type { SigningKey } from "../config.ts";
import { parseApiKey } from "./api-keys/api-key.ts";
import { verifyDashboardToken } from "./sessions/dashboard-token.ts";

type Credential =
  | { readonly kind: "api_key"; readonly keyId: string; readonly secret: string }
  | { readonly kind: "dashboard_token"; readonly token: string };

// A dashboard token has about 400 characters; the gateway issues none that is much longer.
const TOKEN_CHARACTERS_MAX = 4_096;

/** Parses the credential, without verifying it. Returns null unless there is exactly one Authorization header and it is well-formed (interface §2). */
export function readCredential(authorizationHeaders: readonly string[]): Credential | null {
  const [header, ...others] = authorizationHeaders;
  if (header === undefined || others.length > 0 || header.length > TOKEN_CHARACTERS_MAX) return null;
  const [, token] = /^Bearer ([\w.-]+)$/i.exec(header) ?? [];
  if (token === undefined) return null;
  if (token.startsWith("sk_")) {
    const key = parseApiKey(token);
    return key && { kind: "api_key", ...key };
  }
  return { kind: "dashboard_token", token };
}

/**
 * The session of a request, for routes that refuse API keys. The request's dashboard token must have been accepted. Throws if it
 * has none.
 */
export function sessionIdOf(req: IncomingMessage, signingKeys: readonly SigningKey[]): string {
  const credential = readCredential(req.headersDistinct.authorization ?? []);
  const claims =
    credential?.kind === "dashboard_token" ? verifyDashboardToken(credential.token, signingKeys) : null;
  if (claims === null) throw new Error("the request has no dashboard token");
  return claims.sessionId;
}
