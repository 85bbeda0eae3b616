// Seals secrets at rest, so that a copy of the database reveals none: signing secrets, and subscriptions' own headers.
import { createHmac, randomBytes } from "node:crypto";
import type { OwnHeader } from "./headers.ts";
import { createSealer, type SealingKey, type SealingKeys } from "./seal.ts";

export interface Sealing {
  /** `whsec_` and base64 of 32 random bytes (interface §7). */
  newSecret(tenantId: string, subscriptionId: string): NewSecret;
  /** Throws SealingError. */
  openSecret(sealed: Buffer, tenantId: string, subscriptionId: string): string;
  sealHeaders(headers: readonly OwnHeader[], tenantId: string, subscriptionId: string): Buffer | null;
  /** Throws SealingError. */
  openHeaders(sealed: Buffer | null, tenantId: string, subscriptionId: string): OwnHeader[];
  /** An HMAC with each key, the first key's at the front. */
  sign(message: Buffer): [Buffer, ...Buffer[]];
}

interface NewSecret {
  readonly secret: string;
  readonly sealed: Buffer;
  readonly preview: string;
}

const PREVIEW_CHARACTERS = 8;

export function createSealing(keys: SealingKeys, countFailure?: () => void): Sealing {
  const { seal, open } = createSealer(keys, countFailure);
  return {
    newSecret: (tenantId, subscriptionId) => {
      const secret = `whsec_${randomBytes(32).toString("base64")}`;
      const sealed = seal(secret, ownerOfSecret(tenantId, subscriptionId));
      return { secret, sealed, preview: secret.slice(0, PREVIEW_CHARACTERS) };
    },
    openSecret: (sealed, tenantId, subscriptionId) => open(sealed, ownerOfSecret(tenantId, subscriptionId)),
    sealHeaders: (headers, tenantId, subscriptionId) => {
      if (headers.length === 0) return null;
      const text = JSON.stringify(headers.map(({ name, value }) => [name, value]));
      return seal(text, ownerOfHeaders(tenantId, subscriptionId));
    },
    openHeaders: (sealed, tenantId, subscriptionId) => {
      if (sealed === null) return [];
      const pairs = JSON.parse(open(sealed, ownerOfHeaders(tenantId, subscriptionId))) as [string, string][];
      return pairs.map(([name, value]) => ({ name, value }));
    },
    sign: (message) => {
      const [own, ...others] = keys;
      const signWith = ({ key }: SealingKey) => createHmac("sha256", key).update(message).digest();
      return [signWith(own), ...others.map(signWith)];
    },
  };
}

export function ownerOfSecret(tenantId: string, subscriptionId: string): string {
  return `${tenantId}.${subscriptionId}`;
}

/** Not the same as the secret's. */
export function ownerOfHeaders(tenantId: string, subscriptionId: string): string {
  return `${tenantId}.${subscriptionId}.headers`;
}
