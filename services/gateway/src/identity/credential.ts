// Reads what kind of credential a request carries. Pure; knows nothing of whether it is any good.
import { parseApiKey } from "../api-key/api-key.ts";

export type Credential =
  | { readonly kind: "api_key"; readonly keyId: string; readonly secret: string }
  | { readonly kind: "dashboard_token"; readonly token: string };

// A dashboard token is some 400 characters; whatever is much longer was not made here.
const TOKEN_CHARACTERS_MAX = 4_096;

/**
 * In: every Authorization header of the request. Out: the credential, or null where there is none, more than one,
 * or one that is malformed (contract §2: all of them read the same to the caller).
 */
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
