// Generates the signing secrets of subscriptions, and seals them.
import { randomBytes } from "node:crypto";
import { ownerOfSecret, type Sealing } from "./seal.ts";

const PREVIEW_CHARACTERS = 8;

/** Returns `whsec_` and base64 of 32 random bytes (interface §7). */
export function generateSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

/** Returns the part of the secret that the API shows after creation. */
export function previewOf(secret: string): string {
  return secret.slice(0, PREVIEW_CHARACTERS);
}

/** Seals a secret. The subscription is authenticated, so the result cannot be opened for another one. */
export function sealSecret(
  secret: string,
  sealing: Pick<Sealing, "seal">,
  tenantId: string,
  subscriptionId: string,
): Buffer {
  return sealing.seal(secret, ownerOfSecret(tenantId, subscriptionId));
}

/** Throws SealingError if the key is missing, the bytes were changed, or they were sealed for another subscription. */
export function openSecret(
  sealed: Buffer,
  sealing: Pick<Sealing, "open">,
  tenantId: string,
  subscriptionId: string,
): string {
  return sealing.open(sealed, ownerOfSecret(tenantId, subscriptionId));
}
