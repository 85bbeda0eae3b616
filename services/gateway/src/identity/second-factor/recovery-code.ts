// Recovery codes, each for one sign-in without the phone. The database has only their hashes.
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

/** The user's id is hashed too, so that a guess fits one user. Case, blanks and hyphens do not matter. */
export function hashOfRecoveryCode(userId: string, code: string): Buffer {
  const plain = code.toUpperCase().replaceAll(/[\s-]/g, "");
  return createHash("sha256").update(`${userId} ${plain}`).digest();
}
