// Recovery codes: with each, a user who has lost the phone signs in once. The database has only their hashes. Pure, except for
// the random source.
import { createHash, randomBytes } from "node:crypto";
import { base32 } from "./totp.ts";

const COUNT = 10;
// 80 bits: 16 characters of base32.
const CODE_BYTES = 10;

/** `ABCD-EFGH-IJKL-MNOP`, ten times. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () =>
    (base32(randomBytes(CODE_BYTES)).match(/.{4}/g) ?? []).join("-"),
  );
}

/**
 * SHA-256 is enough for 80 random bits. The user's id is hashed too, so that a guess can be compared with the codes of one user
 * only. Case, blanks and hyphens do not matter.
 */
export function hashOfRecoveryCode(userId: string, code: string): Buffer {
  const plain = code.toUpperCase().replaceAll(/[\s-]/g, "");
  return createHash("sha256").update(`${userId} ${plain}`).digest();
}
