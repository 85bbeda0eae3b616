// A sign-in at the provider that has begun, in a signed cookie, so that only its browser can finish it, on any replica. State, nonce
// and PKCE verifier are derived from its secret. Pure.
import { randomBytes } from "node:crypto";
import type { SigningKey } from "../../config.ts";
import { hashSecret, signerFor } from "../signer.ts";
import type { Checks } from "./provider.ts";

const SECRET_BYTES = 32;
const SIGNATURE_BYTES = 32;
export const BEGUN_SECONDS = 10 * 60;

export function begunSignIns(signingKeys: readonly SigningKey[]) {
  const signer = signerFor("oidc sign-in", signingKeys, SIGNATURE_BYTES);
  return {
    /** The session whose user binds an identity; null for a sign-in. */
    begin: (sessionId: string | null) => {
      const secret = randomBytes(SECRET_BYTES).toString("base64url");
      const signed = [Date.now() + BEGUN_SECONDS * 1_000, sessionId ?? "", secret].join(".");
      const cookie = `${signed}.${signer.sign(signed).toString("base64url")}`;
      return { checks: checksOf(secret), sessionId, cookie };
    },
    /** Null if the cookie is forged or too old. */
    read: (cookie: string) => {
      const [expiresAt = "", sessionId = "", secret = "", signature = ""] = cookie.split(".");
      const signed = [expiresAt, sessionId, secret].join(".");
      const isOurs = signer.verify(signed, Buffer.from(signature, "base64url"));
      return isOurs && Date.now() < Number(expiresAt)
        ? { checks: checksOf(secret), sessionId: sessionId || null }
        : null;
    },
  };
}

function checksOf(secret: string): Checks {
  const derived = (purpose: string) => hashSecret(`${purpose} ${secret}`).toString("base64url");
  return { state: derived("state"), nonce: derived("nonce"), codeVerifier: derived("verifier") };
}
