// Generates, parses and verifies API keys. Pure, except for the random source.
import { createHash, randomInt, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";

const KEY_ID_CHARACTERS = 12;
// 37 base62 characters hold 220 bits.
const RANDOM_CHARACTERS = 37;
// 6 base62 digits hold the 32 bits of the checksum.
const CHECKSUM_CHARACTERS = 6;
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
  const random = randomBase62(RANDOM_CHARACTERS);
  const secret = `${random}${checksumOf(`sk_live_${keyId}_${random}`)}`;
  return { keyId, secretHash: hashSecret(secret), key: `sk_live_${keyId}_${secret}` };
}

/**
 * The last 6 characters of a key: the CRC-32 of everything before them, in base62. With it, programs that search code for
 * secrets recognize a real key without asking the gateway.
 */
function checksumOf(keyWithoutChecksum: string): string {
  let rest = crc32(keyWithoutChecksum);
  let digits = "";
  while (digits.length < CHECKSUM_CHARACTERS) {
    digits = `${BASE62[rest % BASE62.length]}${digits}`;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

/** Returns the parts of a well-formed key, or null. The checksum is not verified, because earlier keys have none. */
export function parseApiKey(token: string): { keyId: string; secret: string } | null {
  const [, keyId, secret] = /^sk_live_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})$/.exec(token) ?? [];
  return keyId === undefined || secret === undefined ? null : { keyId, secret };
}

const DUMMY_HASH = hashSecret("no key has this secret");

/** Compares in constant time. For an unknown key it compares with a dummy hash and returns false. */
export function verifySecret(secret: string, secretHash: Buffer | undefined): boolean {
  return timingSafeEqual(hashSecret(secret), secretHash ?? DUMMY_HASH) && secretHash !== undefined;
}

/** The form in which the database stores a secret. */
export function hashSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}

function randomBase62(characters: number): string {
  return Array.from({ length: characters }, () => BASE62[randomInt(BASE62.length)]).join("");
}
