// Signs cookies, fingerprints and confirmations, and derives the keys that seal second factors, from TOKEN_SIGNING_KEYS.
// Each purpose has its own keys. Also makes one-time tokens, and hashes secrets.
import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import type { SigningKey } from "../config.ts";

type Purpose =
  | ("device cookie" | "refresh secret" | "idempotency fingerprint" | "mcp confirmation")
  | ("second factor" | "oidc sign-in");

const KEY_BYTES = 32;

export type Signer = ReturnType<typeof signerFor>;

const FINGERPRINT_BYTES = 32;

export function fingerprintSigners(signingKeys: readonly SigningKey[]): Signer[] {
  return signingKeys.map((key) => signerFor("idempotency fingerprint", [key], FINGERPRINT_BYTES));
}

export function signerFor(purpose: Purpose, signingKeys: readonly SigningKey[], signatureBytes: number) {
  const keys = derivedKeys(purpose, signingKeys);
  const [first] = keys;
  if (first === undefined) throw new Error("there is no key to sign with");
  const signWith = (key: Buffer, message: string) =>
    createHmac("sha256", key).update(message).digest().subarray(0, signatureBytes);
  return {
    sign: (message: string) => signWith(first, message),
    verify: (message: string, signature: Buffer) =>
      signature.length === signatureBytes &&
      keys.some((key) => timingSafeEqual(signWith(key, message), signature)),
  };
}

/** Keys of 32 bytes, in the order of the signing keys. */
export function derivedKeys(purpose: Purpose, signingKeys: readonly SigningKey[]): Buffer[] {
  return signingKeys.map(({ secret }) =>
    Buffer.from(hkdfSync("sha256", secret, "", `tradepost ${purpose}`, KEY_BYTES)),
  );
}

const TOKEN_BYTES = 32;

export interface OneTimeToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** The owner gets the token, the database its hash. */
export function newToken() {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  return { token, hash: hashSecret(token) };
}

/** SHA-256 is enough for 128 random bits. */
export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
