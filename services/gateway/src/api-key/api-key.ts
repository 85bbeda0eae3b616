// Generates, parses and verifies API keys. Pure, except for the random source.
import { createHash, randomInt, timingSafeEqual } from "node:crypto";

const KEY_ID_CHARACTERS = 12;
// 43 base62 characters hold 256 bits.
const SECRET_CHARACTERS = 43;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export interface NewApiKey {
  readonly keyId: string;
  readonly secretHash: Buffer;
  /** The whole key, `sk_live_<key_id>_<secret>`, which is shown once and never stored. */
  readonly key: string;
}

/** A new key from the system's random source (interface §2). */
export function generateApiKey(): NewApiKey {
  const keyId = randomBase62(KEY_ID_CHARACTERS);
  const secret = randomBase62(SECRET_CHARACTERS);
  return { keyId, secretHash: hashSecret(secret), key: `sk_live_${keyId}_${secret}` };
}

/** Returns the parts of a well-formed key, or null. */
export function parseApiKey(token: string): { keyId: string; secret: string } | null {
  const [, keyId, secret] = /^sk_live_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})$/.exec(token) ?? [];
  return keyId === undefined || secret === undefined ? null : { keyId, secret };
}

const DUMMY_HASH = hashSecret("no key has this secret");

/** Compares in constant time. For an unknown key it compares with a dummy hash and returns false. */
export function verifySecret(secret: string, secretHash: Buffer | undefined): boolean {
  return timingSafeEqual(hashSecret(secret), secretHash ?? DUMMY_HASH) && secretHash !== undefined;
}

function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

function randomBase62(characters: number): string {
  return Array.from({ length: characters }, () => BASE62[randomInt(BASE62.length)]).join("");
}
