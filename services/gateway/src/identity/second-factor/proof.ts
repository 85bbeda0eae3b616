// The proof that a user has the second factor: a code of the app, or a recovery code (interface §20). Each works once: of
// parallel uses only one moves the user's latest time step forward.
import { type ApiError, invalid } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import type { Tables } from "../../tables.ts";
import { hashOfRecoveryCode } from "./recovery-code.ts";
import * as store from "./second-factor-store.ts";
import type { SecretSealing } from "./secret-sealing.ts";
import { stepsOfCode } from "./totp.ts";

/** Exactly one is a string. */
export interface Proof {
  readonly code?: string | undefined;
  readonly recoveryCode?: string | undefined;
}

/** Returns false if it is wrong or was used. Throws an Error if no key opens the secret: a signing key was dropped too early. */
export async function useProof(
  tx: Tenant<Tables>,
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
