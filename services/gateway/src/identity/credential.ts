// The API key or dashboard token in a request's Authorization header.
import type { IncomingMessage } from "node:http";
import type { Metrics } from "@tradepost/runtime";
import type { SigningKey } from "../config.ts";
import { parseApiKey } from "./api-keys/api-key.ts";
import { verifyDashboardToken } from "./sessions/dashboard-token.ts";

type Credential =
  | { readonly kind: "api_key"; readonly keyId: string; readonly secret: string }
  | { readonly kind: "dashboard_token"; readonly token: string };

// A dashboard token has about 400 characters.
const TOKEN_CHARACTERS_MAX = 4_096;

/** Not verified. Null unless there is exactly one well-formed Authorization header (interface §2). */
export function readCredential(authorizationHeaders: readonly string[]): Credential | null {
  const [header, ...others] = authorizationHeaders;
  if (header === undefined || others.length > 0 || header.length > TOKEN_CHARACTERS_MAX) return null;
  const [, token] = /^Bearer +([\w.-]+)$/i.exec(header) ?? [];
  if (token === undefined) return null;
  if (token.startsWith("sk_")) {
    const key = parseApiKey(token);
    return key && { kind: "api_key", ...key };
  }
  return { kind: "dashboard_token", token };
}

/** Reads the session, for routes that refuse API keys, after the token was accepted. */
export function sessionIdOf(req: IncomingMessage, signingKeys: readonly SigningKey[]): string {
  const credential = readCredential(req.headersDistinct.authorization ?? []);
  const claims =
    credential?.kind === "dashboard_token" ? verifyDashboardToken(credential.token, signingKeys) : null;
  if (claims === null) throw new Error("the request has no dashboard token");
  return claims.sessionId;
}

/**
 * The response is the same for all reasons but one.
 *
 * - `missing`: no Authorization header.
 * - `malformed`: more than one, or one that is neither a key nor a token.
 * - `api_key`: an unknown key, or a wrong secret.
 * - `api_key_ended`: the right secret of a key that was revoked or has expired.
 * - `address_not_allowed`: a key that is used from elsewhere, which is 403 (interface §25).
 * - `token`: a dashboard token that is not valid, or whose session has ended.
 * - `refresh`: a refresh cookie that is missing, used up or of an ended session.
 * - `password`: an unknown e-mail or a wrong password.
 * - `setup_link`, `sign_in_link`: one that was used, has ended or is unknown.
 * - `second_factor`: a wrong code, or a sign-in that has expired.
 * - `oidc`: a browser that comes from the provider without a sign-in (interface §25).
 */
export type AuthFailure =
  | ("missing" | "malformed" | "api_key" | "api_key_ended" | "address_not_allowed" | "token")
  | ("refresh" | "password" | "setup_link" | "sign_in_link" | "second_factor" | "oidc");

/** Operators see whether keys are guessed or an ended key is still in use (interface §14). */
export function countAuthFailures(metrics: Metrics) {
  const counter = metrics.counter("auth_failures_total", "Requests refused for their credential.", [
    "reason",
  ]);
  return (reason: AuthFailure) => counter.inc({ reason });
}
