// Seals second factors at rest, with keys derived from TOKEN_SIGNING_KEYS: the first seals, all open.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { SigningKey } from "../../config.ts";
import { derivedKeys } from "../signer.ts";

interface Owner {
  readonly tenantId: string;
  readonly userId: string;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type SecretSealing = ReturnType<typeof secretSealing>;

export function secretSealing(signingKeys: readonly SigningKey[]) {
  const keys = derivedKeys("second factor", signingKeys);
  const [sealsWith, ...alsoOpens] = signingKeys.map(({ id }) => id);
  const [first] = keys;
  if (first === undefined || sealsWith === undefined) throw new Error("there is no key to seal with");
  return {
    sealsWith,
    alsoOpens,
    /** `sealedWith` is the id of a signing key. */
    seal: (secret: Buffer, owner: Owner) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, first, nonce).setAAD(bytesOf(owner));
      const text = Buffer.concat([cipher.update(secret), cipher.final()]);
      return { sealed: Buffer.concat([nonce, cipher.getAuthTag(), text]), sealedWith: sealsWith };
    },
    /** Null if no key opens the value for this user. */
    open: (sealed: Buffer, owner: Owner) => {
      for (const key of keys) {
        const secret = openWith(key, sealed, owner);
        if (secret !== null) return secret;
      }
      return null;
    },
  };
}

function openWith(key: Buffer, sealed: Buffer, owner: Owner): Buffer | null {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  if (tag.length < TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(bytesOf(owner))
    .setAuthTag(tag);
  const secret = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([secret, decipher.final()]);
  } catch {
    return null;
  }
}

function bytesOf({ tenantId, userId }: Owner): Buffer {
  return Buffer.from(`${tenantId} ${userId}`);
}
