// The secret that carries a session on: 16 random bytes and a signature that binds them to the session. Only the hash of
// the present secret is stored. The signature tells a secret that this session had before from one that was made up, and
// so needs no record of the past ones. See docs/decisions/0006.
import { createHash, randomBytes } from "node:crypto";
import type { SigningKey } from "../config.ts";
import { signerFor } from "./signer.ts";

const RANDOM_BYTES = 16;
const SIGNATURE_BYTES = 16;

export interface RefreshSecrets {
  /** 43 characters of base64url. */
  issue(sessionId: string): string;
  /** True if the secret was issued for this session, at whatever time. */
  wasIssued(sessionId: string, secret: string): boolean;
}

export function refreshSecrets(signingKeys: readonly SigningKey[]): RefreshSecrets {
  const seal = signerFor("refresh secret", signingKeys, SIGNATURE_BYTES);
  const message = (sessionId: string, random: Buffer) => `${sessionId} ${random.toString("hex")}`;
  return {
    issue: (sessionId) => {
      const random = randomBytes(RANDOM_BYTES);
      return Buffer.concat([random, seal.sign(message(sessionId, random))]).toString("base64url");
    },
    wasIssued: (sessionId, secret) => {
      const bytes = Buffer.from(secret, "base64url");
      return seal.isGenuine(
        message(sessionId, bytes.subarray(0, RANDOM_BYTES)),
        bytes.subarray(RANDOM_BYTES),
      );
    },
  };
}

/** What the database keeps of a secret. */
export function hashOfSecret(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
