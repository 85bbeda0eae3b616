// Seals texts with the sealing keys, and opens them.
//
// While a key is being replaced there are several: the first seals, all open. A value of a key with an id begins with `key:<id>:`;
// nonce, tag and ciphertext follow. A value of `WEBHOOKS_SEALING_KEY`, which has no id, begins with the nonce. The id only says
// which key to try first, so a key may get an id later, or another one.
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";
import { sql } from "kysely";

/** Null for `WEBHOOKS_SEALING_KEY`. */
export interface SealingKey {
  readonly id: string | null;
  readonly key: KeyObject;
}

export type SealingKeys = readonly [SealingKey, ...SealingKey[]];

/** The message names the key's id, but nothing about the value. */
export class SealingError extends Error {
  override readonly name = "SealingError";
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const SEALING_KEY_ID = /^[\w.-]{1,32}$/;
// A nonce may look like this, so `open` tries the whole value as well.
const NAMED = /^key:([\w.-]{1,32}):/;
const NAMED_BYTES_MAX = 37;

export function createSealer(keys: SealingKeys, countFailure: () => void = () => undefined) {
  const [first] = keys;
  return {
    seal: (text: string, owner: string) =>
      Buffer.concat([prefixOf(first.id), sealWith(first.key, text, owner)]),
    /** Throws SealingError if no key opens the value for this owner. */
    open: (sealed: Buffer, owner: string) => {
      const id = sealingKeyIdOf(sealed);
      const text =
        (id === null ? null : openNamed(keys, sealed, id, owner)) ?? openWithAny(keys, sealed, owner);
      if (text !== null) return text;
      countFailure();
      throw new SealingError(`a stored secret that was sealed with ${nameOf(id)} cannot be opened`);
    },
  };
}

function openNamed(keys: SealingKeys, sealed: Buffer, id: string, owner: string): string | null {
  const named = keys.filter((key) => key.id === id);
  const others = keys.filter((key) => key.id !== id);
  return openWithAny([...named, ...others], sealed.subarray(prefixOf(id).length), owner);
}

function openWithAny(keys: readonly SealingKey[], sealed: Buffer, owner: string): string | null {
  for (const { key } of keys) {
    const text = openWith(key, sealed, owner);
    if (text !== null) return text;
  }
  return null;
}

function sealingKeyIdOf(sealed: Uint8Array): string | null {
  const start = Buffer.from(sealed.subarray(0, NAMED_BYTES_MAX)).toString("latin1");
  return NAMED.exec(start)?.[1] ?? null;
}

export function nameOf(id: string | null): string {
  return id === null ? "a key without an id" : `the key ${id}`;
}

function prefixOf(id: string | null): Buffer {
  return Buffer.from(id === null ? "" : `key:${id}:`);
}

function sealWith(key: KeyObject, text: string, owner: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

function openWith(key: KeyObject, sealed: Buffer, owner: string): string | null {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  if (tag.length < TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
  decipher.setAuthTag(tag);
  const text = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    // The tag does not match.
    return null;
  }
}

// The same pattern as `NAMED`. A byte outside ASCII is escaped with a backslash, which ends the match.
const KEY_ID = sql.raw("'^key:([A-Za-z0-9_.-]{1,32}):'");

export function keyIdOf(column: "secret_sealed" | "previous_secret_sealed" | "headers_sealed" | "value") {
  return sql<
    string | null
  >`substring(encode(substring(${sql.ref(column)} from 1 for 37), 'escape') from ${KEY_ID})`;
}
