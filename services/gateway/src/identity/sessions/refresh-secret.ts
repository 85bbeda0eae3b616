// The secret of a refresh cookie: 16 random bytes and a signature that binds them to the session. The database has only the hash
// of the current one; the signature distinguishes earlier ones from made-up ones (docs/decisions/0006).
import { randomBytes } from "node:crypto";
import type { SigningKey } from "../../config.ts";
import { signerFor } from "../signer.ts";

const RANDOM_BYTES = 16;
const SIGNATURE_BYTES = 16;

export type RefreshSecrets = ReturnType<typeof refreshSecrets>;

export function refreshSecrets(signingKeys: readonly SigningKey[]) {
  const signer = signerFor("refresh secret", signingKeys, SIGNATURE_BYTES);
  const message = (sessionId: string, random: Buffer) => `${sessionId} ${random.toString("hex")}`;
  return {
    issue: (sessionId: string) => {
      const random = randomBytes(RANDOM_BYTES);
      return Buffer.concat([random, signer.sign(message(sessionId, random))]).toString("base64url");
    },
    wasIssued: (sessionId: string, secret: string) => {
      const bytes = Buffer.from(secret, "base64url");
      return signer.verify(message(sessionId, bytes.subarray(0, RANDOM_BYTES)), bytes.subarray(RANDOM_BYTES));
    },
  };
}
