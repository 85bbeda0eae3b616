// Seals secrets at rest, so that a copy of the database reveals none: signing secrets, and subscriptions' own headers.
import { createHmac, randomBytes } from "node:crypto";
import type { OwnHeader } from "./headers.ts";
import { createSealer, type SealingKey, type SealingKeys } from "./seal.ts";

export type Sealing = ReturnType<typeof createSealing>;

const PREVIEW_CHARACTERS = 8;

export function createSealing(keys: SealingKeys, countFailure?: () => void) {
  const { seal, open } = createSealer(keys, countFailure);
  return {
    /** `whsec_` and base64 of 32 random bytes (interface §7). */
    newSecret: (tenantId: string, subscriptionId: string) => {
      const secret = `whsec_${randomBytes(32).toString("base64")}`;
      const sealed = seal(secret, ownerOfSecret(tenantId, subscriptionId));
      return { secret, sealed, preview: secret.slice(0, PREVIEW_CHARACTERS) };
    },
    /** Throws SealingError. */
    openSecret: (sealed: Buffer, tenantId: string, subscriptionId: string) =>
      open(sealed, ownerOfSecret(tenantId, subscriptionId)),
    sealHeaders: (headers: readonly OwnHeader[], tenantId: string, subscriptionId: string) => {
      if (headers.length === 0) return null;
      const text = JSON.stringify(headers.map(({ name, value }) => [name, value]));
      return seal(text, ownerOfHeaders(tenantId, subscriptionId));
    },
    /** Throws SealingError. */
    openHeaders: (sealed: Buffer | null, tenantId: string, subscriptionId: string): OwnHeader[] => {
      if (sealed === null) return [];
      const pairs = JSON.parse(open(sealed, ownerOfHeaders(tenantId, subscriptionId))) as [string, string][];
      return pairs.map(([name, value]) => ({ name, value }));
    },
    /** Returns an HMAC by each key, in the order of the keys. */
    sign: (message: Buffer): [Buffer, ...Buffer[]] => {
      const [own, ...others] = keys;
      const signWith = ({ key }: SealingKey) => createHmac("sha256", key).update(message).digest();
      return [signWith(own), ...others.map(signWith)];
    },
  };
}

export function ownerOfSecret(tenantId: string, subscriptionId: string): string {
  return `${tenantId}.${subscriptionId}`;
}

export function ownerOfHeaders(tenantId: string, subscriptionId: string): string {
  return `${tenantId}.${subscriptionId}.headers`;
}
