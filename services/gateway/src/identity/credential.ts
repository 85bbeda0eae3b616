// Parses the credential of a request, without verifying it. Pure.
import { parseApiKey } from "../api-key/api-key.ts";

export type Credential =
  | { readonly kind: "api_key"; readonly keyId: string; readonly secret: string }
  | { readonly kind: "dashboard_token"; readonly token: string };

// A dashboard token has about 400 characters; the gateway issues none that is much longer.
const TOKEN_CHARACTERS_MAX = 4_096;

/** Returns null unless there is exactly one Authorization header and it is well-formed (interface §2). */
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
