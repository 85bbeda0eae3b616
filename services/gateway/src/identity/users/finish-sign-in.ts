// The second step of a sign-in: a code or a recovery code (interface §20).
import { ApiError, type Client } from "@tradepost/http";
import { type Tenant, tenantOf } from "@tradepost/postgres";
import type { Tables } from "../../tables.ts";
import { type Proof, useProof } from "../second-factor/proof.ts";
import type { SecretSealing } from "../second-factor/secret-sealing.ts";
import { openSession } from "../sessions/session-store.ts";
import { countFailedCode, endSignIn, findSignIn, lockSignIn } from "../sessions/unfinished-sign-in.ts";
import { refuseSuspended } from "../tenants/operated-tenant.ts";
import { type FinishedSignIn, recordSignIn, type SignInOptions } from "./sign-in.ts";
import { lockSigningIn } from "./user-store.ts";

interface FinishRequest {
  readonly token: string;
  readonly proof: Proof;
  readonly client: Client;
  readonly requestId: string;
  readonly isKnownDevice: (userId: string) => boolean;
}

export interface FinishOptions extends Omit<SignInOptions, "passwords" | "backgroundTasks"> {
  readonly sealing: SecretSealing;
}

// In place of the e-mail of an unknown token.
const ACCOUNT = "second factor";

/** Throws 401, 429 and 403 `tenant_suspended`. Counts as a failed sign-in. */
export async function finishSignIn(options: FinishOptions, request: FinishRequest): Promise<FinishedSignIn> {
  const { db, signInLimit, countAuthFailure } = options;
  const found = await findSignIn(db, request.token);
  const attempt = await signInLimit.begin(found?.email ?? ACCOUNT, request.client);
  try {
    if (found !== null) {
      // Unknown browsers cannot use up the attempts of known ones.
      await attempt.countEverywhere(
        request.isKnownDevice(found.userId) ? `known ${found.userId}` : found.email,
      );
      const tenant = tenantOf(db, found.tenantId);
      const signedIn = await tenant.transaction((tx) => admit(tx, found.userId, options, request));
      if (signedIn !== null) {
        await attempt.withdraw();
        return signedIn;
      }
    }
  } catch (error) {
    await attempt.withdraw();
    throw error;
  }
  countAuthFailure("second_factor");
  throw new ApiError(
    "unauthorized",
    "The code is wrong or was used before, or the sign-in has taken too long; then begin again.",
  );
}

/** Returns null if the code is wrong, which is counted. */
async function admit(
  tx: Tenant<Tables>,
  userId: string,
  { sealing, refreshSecrets }: FinishOptions,
  { token, proof, client, requestId }: FinishRequest,
): Promise<FinishedSignIn | null> {
  const user = await lockSigningIn(tx, userId);
  // A new password or a removed second factor has ended it.
  if (user === null || !(await lockSignIn(tx, userId, token))) return null;
  await refuseSuspended(tx);
  const secondFactor = proof.recoveryCode === undefined ? "code" : "recovery_code";
  if (!(await useProof(tx, sealing, userId, proof))) {
    const isEnded = await countFailedCode(tx, userId, token);
    const outcome = isEnded ? ({ secondFactor, tokenEnded: true } as const) : ({ secondFactor } as const);
    await recordSignIn(tx, "auth.login_failed", user, { client, requestId }, outcome);
    return null;
  }
  await endSignIn(tx, userId, token);
  const session = await openSession(tx, userId, client, refreshSecrets);
  await recordSignIn(tx, "auth.login", user, { client, requestId }, { secondFactor });
  return { user, tenantId: tx.tenantId, session };
}
