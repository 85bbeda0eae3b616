// The secret of a refresh cookie: 16 random bytes and a signature that binds them to the session. The database has only the
// hash of the current secret. The signature distinguishes an earlier secret of the session from a made-up one, so earlier
// secrets need not be stored. See docs/decisions/0006.
import { createHash, randomBytes } from "node:crypto";
import type { SigningKey } from "../../config.ts";
import { signerFor } from "../signer.ts";

const RANDOM_BYTES = 16;
const SIGNATURE_BYTES = 16;

export interface RefreshSecrets {
  /** 43 characters of base64url. */
  issue(sessionId: string): string;
  /** True if the secret was ever issued for this session. */
  wasIssued(sessionId: string, secret: string): boolean;
}

export function refreshSecrets(signingKeys: readonly SigningKey[]): RefreshSecrets {
  const signer = signerFor("refresh secret", signingKeys, SIGNATURE_BYTES);
  const message = (sessionId: string, random: Buffer) => `${sessionId} ${random.toString("hex")}`;
  return {
    issue: (sessionId) => {
      const random = randomBytes(RANDOM_BYTES);
      return Buffer.concat([random, signer.sign(message(sessionId, random))]).toString("base64url");
    },
    wasIssued: (sessionId, secret) => {
      const bytes = Buffer.from(secret, "base64url");
      return signer.verify(message(sessionId, bytes.subarray(0, RANDOM_BYTES)), bytes.subarray(RANDOM_BYTES));
    },
  };
}

/** The form in which the database stores a secret. */
export function hashOfSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
