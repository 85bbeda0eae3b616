// The second step of a sign-in: a code or a recovery code (interface §20).
import { ApiError } from "@tradepost/http";
import { type Tenant, tenantOf } from "@tradepost/postgres";
import type { Tables } from "../../tables.ts";
import type { IdentityContext } from "../context.ts";
import { type AnonymousRequest, recordByUser } from "../record-about-user.ts";
import { type Proof, useProof } from "../second-factor/proof.ts";
import { openSession } from "../sessions/session-store.ts";
import { countFailedCode, endSignIn, findSignIn, lockSignIn } from "../sessions/unfinished-sign-in.ts";
import { refuseSuspended } from "../tenants/operated-tenant.ts";
import type { FinishedSignIn } from "./sign-in.ts";
import { asAttempt } from "./sign-in-limit.ts";
import { lockSigningIn } from "./user-store.ts";

interface FinishRequest extends AnonymousRequest {
  readonly token: string;
  readonly proof: Proof;
  readonly isKnownDevice: (userId: string) => boolean;
}

// In place of the e-mail of an unknown token.
const ACCOUNT = "second factor";

/** Throws 401, 429 and 403 `tenant_suspended`. Counts as a failed sign-in. */
export async function finishSignIn(
  context: IdentityContext,
  request: FinishRequest,
): Promise<FinishedSignIn> {
  const { db, signInLimit, countAuthFailure } = context;
  const found = await findSignIn(db, request.token);
  const counted = [found?.email ?? ACCOUNT, request.client] as const;
  const signedIn = await asAttempt(signInLimit, counted, async (attempt) => {
    if (found === null) return null;
    const { tenantId, userId, email } = found;
    // Unknown browsers cannot use up the attempts of known ones.
    await attempt.countEverywhere(request.isKnownDevice(userId) ? `known ${userId}` : email);
    return await tenantOf(db, tenantId).transaction((tx) => admit(tx, userId, context, request));
  });
  if (signedIn !== null) return signedIn;
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
  { sealing, refreshSecrets }: IdentityContext,
  request: FinishRequest,
): Promise<FinishedSignIn | null> {
  const { token, proof } = request;
  const user = await lockSigningIn(tx, userId);
  // A new password or a removed second factor has ended it.
  if (user === null || !(await lockSignIn(tx, userId, token))) return null;
  await refuseSuspended(tx);
  const secondFactor = proof.recoveryCode === undefined ? "code" : "recovery_code";
  if (!(await useProof(tx, sealing, userId, proof))) {
    const isEnded = await countFailedCode(tx, userId, token);
    const changes = { secondFactor, ...(isEnded && { tokenEnded: true }) };
    await recordByUser(tx, "auth.login_failed", user, request, changes);
    return null;
  }
  await endSignIn(tx, userId, token);
  const session = await openSession(tx, userId, request.client, refreshSecrets);
  await recordByUser(tx, "auth.login", user, request, { secondFactor });
  return { user, tenantId: tx.tenantId, session };
}
