// Signs the values of cookies, fingerprints of requests, and confirmations of MCP tools. Its keys are derived from the keys
// that sign dashboard tokens, so both rotate together. Each purpose has its own keys, so a signature for one purpose is not
// valid for another. The keys that seal second factors are derived in the same way.
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { SigningKey } from "../config.ts";

type Purpose =
  | ("device cookie" | "refresh secret" | "idempotency fingerprint" | "mcp confirmation")
  | "second factor";

const KEY_BYTES = 32;

export interface Signer {
  /** Signs with the first key. */
  sign(message: string): Buffer;
  /** True if any of the keys signed the message. */
  verify(message: string, signature: Buffer): boolean;
}

const FINGERPRINT_BYTES = 32;

/** A signer of fingerprints for each key, in the order of the keys. */
export function fingerprintSigners(signingKeys: readonly SigningKey[]): Signer[] {
  return signingKeys.map((key) => signerFor("idempotency fingerprint", [key], FINGERPRINT_BYTES));
}

/** Signatures are cut to `signatureBytes`. */
export function signerFor(
  purpose: Purpose,
  signingKeys: readonly SigningKey[],
  signatureBytes: number,
): Signer {
  const keys = derivedKeys(purpose, signingKeys);
  const [first] = keys;
  if (first === undefined) throw new Error("there is no key to sign with");
  const signWith = (key: Buffer, message: string) =>
    createHmac("sha256", key).update(message).digest().subarray(0, signatureBytes);
  return {
    sign: (message) => signWith(first, message),
    verify: (message, signature) =>
      signature.length === signatureBytes &&
      keys.some((key) => timingSafeEqual(signWith(key, message), signature)),
  };
}

/** Returns a key of 32 bytes for each signing key, in their order. */
export function derivedKeys(purpose: Purpose, signingKeys: readonly SigningKey[]): Buffer[] {
  return signingKeys.map(({ secret }) =>
    Buffer.from(hkdfSync("sha256", secret, "", `tradepost ${purpose}`, KEY_BYTES)),
  );
}
