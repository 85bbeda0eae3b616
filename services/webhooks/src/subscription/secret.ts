// Signing secrets: how they are made, and sealed at rest. A copy of the database signs nothing.
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PREVIEW_CHARACTERS = 8;

/** `whsec_` and base64 of 32 random bytes (contract §7). */
export function generateSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** The first 8 characters: what is shown after creation. */
export function previewOf(secret: string): string {
  return secret.slice(0, PREVIEW_CHARACTERS);
}

/** Out: nonce, tag and ciphertext; bound to its subscription, so that it opens nowhere else. */
export function sealSecret(secret: string, key: KeyObject, tenantId: string, subscriptionId: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(`${tenantId}.${subscriptionId}`));
  const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Throws where the key is another, or the bytes were changed or belong to another subscription. */
export function openSecret(sealed: Buffer, key: KeyObject, tenantId: string, subscriptionId: string): string {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce).setAAD(Buffer.from(`${tenantId}.${subscriptionId}`));
  decipher.setAuthTag(tag);
  return Buffer.concat([
    decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)),
    decipher.final(),
  ]).toString("utf8");
}
