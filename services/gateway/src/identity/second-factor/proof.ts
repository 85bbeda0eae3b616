// The proof that a user has the second factor: a code of the app, or a recovery code (interface §20). Each works once: of
// parallel uses only one moves the user's latest time step forward.
import { createHash, randomBytes } from "node:crypto";
import { type ApiError, invalid } from "@tradepost/http";
import type { Tenant } from "../../tables.ts";
import * as store from "./second-factor-store.ts";
import type { SecretSealing } from "./secret-sealing.ts";
import { base32, stepsOfCode } from "./totp.ts";

/** Exactly one is a string. */
export interface Proof {
  readonly code?: string | undefined;
  readonly recoveryCode?: string | undefined;
}

/** Returns false if it is wrong or was used. Throws an Error if no key opens the secret: a signing key was dropped too early. */
export async function useProof(
  tx: Tenant,
  sealing: SecretSealing,
  userId: string,
  { code, recoveryCode }: Proof,
): Promise<boolean> {
  if (recoveryCode !== undefined) {
    return await store.takeRecoveryCode(tx, userId, hashOfRecoveryCode(userId, recoveryCode));
  }
  const sealed = await store.findSecret(tx, userId);
  if (sealed === null || code === undefined) return false;
  const secret = sealing.open(sealed, { tenantId: tx.tenantId, userId });
  if (secret === null) {
    throw new Error(`no key of TOKEN_SIGNING_KEYS opens the second factor of the user ${userId}`);
  }
  for (const step of stepsOfCode(secret, code, new Date())) {
    if (await store.takeStep(tx, userId, step)) return true;
  }
  return false;
}

export function wrongProof({ recoveryCode }: Proof): ApiError {
  return recoveryCode === undefined
    ? invalid([{ path: "code", message: "is wrong, or was used before" }])
    : invalid([{ path: "recoveryCode", message: "is wrong, or was used before" }]);
}

const RECOVERY_CODES = 10;
// 80 bits: 16 characters of base32.
const RECOVERY_CODE_BYTES = 10;

/** `ABCD-EFGH-IJKL-MNOP`, ten times. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    (base32(randomBytes(RECOVERY_CODE_BYTES)).match(/.{4}/g) ?? []).join("-"),
  );
}

/** For the database. The user's id is hashed too, so that a guess fits one user. Case, blanks and hyphens do not matter. */
export function hashOfRecoveryCode(userId: string, code: string): Buffer {
  const plain = code.toUpperCase().replaceAll(/[\s-]/g, "");
  return createHash("sha256").update(`${userId} ${plain}`).digest();
}
