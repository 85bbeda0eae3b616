// Generates, parses and verifies API keys. Pure, except for the random source.
import { randomInt, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Client } from "@tradepost/http";
import { hashSecret } from "../signer.ts";
import { isAllowed } from "./allowed-addresses.ts";

const KEY_ID_CHARACTERS = 12;
// 37 base62 characters hold 220 bits.
const RANDOM_CHARACTERS = 37;
const CHECKSUM_CHARACTERS = 6;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `key` is `sk_live_<key_id>_<secret>`, shown once and never stored. */
export function generateApiKey() {
  const keyId = randomBase62(KEY_ID_CHARACTERS);
  const random = randomBase62(RANDOM_CHARACTERS);
  const secret = `${random}${checksumOf(`sk_live_${keyId}_${random}`)}`;
  return { keyId, secretHash: hashSecret(secret), key: `sk_live_${keyId}_${secret}` };
}

/** In base62. Programs that search code for secrets recognize a real key by it. */
function checksumOf(keyWithoutChecksum: string): string {
  let rest = crc32(keyWithoutChecksum);
  let digits = "";
  while (digits.length < CHECKSUM_CHARACTERS) {
    digits = `${BASE62[rest % BASE62.length]}${digits}`;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

/** Does not verify the checksum, which earlier keys lack. */
export function parseApiKey(token: string): { keyId: string; secret: string } | null {
  const [, keyId, secret] = /^sk_live_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})$/.exec(token) ?? [];
  return keyId === undefined || secret === undefined ? null : { keyId, secret };
}

const DUMMY_HASH = hashSecret("no key has this secret");

/** In constant time, also for an unknown key. */
export function verifySecret(secret: string, secretHash: Buffer | undefined): boolean {
  return timingSafeEqual(hashSecret(secret), secretHash ?? DUMMY_HASH) && secretHash !== undefined;
}

interface StoredKey {
  readonly secretHash: Buffer;
  readonly isLive: boolean;
  readonly allowedAddresses: readonly string[] | null;
}

/** Returns why the key is refused, or null. Without `client` it may be used from everywhere. */
export function verifyKey(
  key: StoredKey | null,
  secret: string,
  client: Client | undefined,
): "api_key" | "api_key_ended" | "address_not_allowed" | null {
  const isSecretRight = verifySecret(secret, key?.secretHash);
  if (key === null || !isSecretRight) return "api_key";
  if (!key.isLive) return "api_key_ended";
  const isElsewhere = client !== undefined && !isAllowed(client.ip, key.allowedAddresses);
  return isElsewhere ? "address_not_allowed" : null;
}

function randomBase62(characters: number): string {
  return Array.from({ length: characters }, () => BASE62[randomInt(BASE62.length)]).join("");
}
