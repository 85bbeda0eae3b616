// Generates signing secrets, and seals them and other secrets so that a copy of the database reveals none.
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PREVIEW_CHARACTERS = 8;

/** `whsec_` and base64 of 32 random bytes (interface §7). */
export function generateSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** The part of the secret that the API shows after creation. */
export function previewOf(secret: string): string {
  return secret.slice(0, PREVIEW_CHARACTERS);
}

/** The subscription is authenticated, so the result opens for no other. */
export function sealSecret(secret: string, key: KeyObject, tenantId: string, subscriptionId: string): Buffer {
  return sealText(secret, key, `${tenantId}.${subscriptionId}`);
}

/** Throws if the key is wrong, the bytes were changed, or they were sealed for another subscription. */
export function openSecret(sealed: Buffer, key: KeyObject, tenantId: string, subscriptionId: string): string {
  return openText(sealed, key, `${tenantId}.${subscriptionId}`);
}

/** Returns nonce, tag and ciphertext, which open for the same owner only. */
export function sealText(text: string, key: KeyObject, owner: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Throws if the key is wrong, the bytes were changed, or they were sealed for another owner. */
export function openText(sealed: Buffer, key: KeyObject, owner: string): string {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
  decipher.setAuthTag(tag);
  return Buffer.concat([
    decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)),
    decipher.final(),
  ]).toString("utf8");
}
