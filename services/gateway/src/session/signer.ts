// Keys for cookies, derived from the keys that sign dashboard tokens, so that rotating one rotates the other. Each use has
// keys of its own: what is signed for one purpose proves nothing for another.
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { SigningKey } from "../config.ts";

export type Purpose = "device cookie" | "refresh secret";

const KEY_BYTES = 32;

export interface Signer {
  /** With the first key. */
  sign(message: string): Buffer;
  /** True if any of the keys signed the message. */
  isGenuine(message: string, signature: Buffer): boolean;
}

/** In: the signing keys, of which the first signs and all verify, and how many bytes of the signature are used. */
export function signerFor(
  purpose: Purpose,
  signingKeys: readonly SigningKey[],
  signatureBytes: number,
): Signer {
  const keys = signingKeys.map(({ secret }) =>
    Buffer.from(hkdfSync("sha256", secret, "", `tradepost ${purpose}`, KEY_BYTES)),
  );
  const [first] = keys;
  if (first === undefined) throw new Error("there is no key to sign with");
  const signWith = (key: Buffer, message: string) =>
    createHmac("sha256", key).update(message).digest().subarray(0, signatureBytes);
  return {
    sign: (message) => signWith(first, message),
    isGenuine: (message, signature) =>
      signature.length === signatureBytes &&
      keys.some((key) => timingSafeEqual(signWith(key, message), signature)),
  };
}
