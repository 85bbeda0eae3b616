// Signs a user in by e-mail and password, and by the code of a second factor (interface §2, §20). Computes one hash for any number
// of users, so that an unknown e-mail takes the same time.
import { ApiError } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import type { Tenant } from "../../tables.ts";
import type { IdentityContext } from "../context.ts";
import { type HashedFor, knownAs } from "../passwords/hash-queue.ts";
import { type AnonymousRequest, recordByUser } from "../record-about-user.ts";
import { type Proof, useProof } from "../second-factor/proof.ts";
import { type OpenedSession, openSession } from "../sessions/session-store.ts";
import {
  beginSignIn,
  countFailedCode,
  endSignIn,
  findSignIn,
  lockSignIn,
} from "../sessions/unfinished-sign-in.ts";
import type { OneTimeToken } from "../signer.ts";
import { refuseSuspended } from "../tenants/operated-tenant.ts";
import { readSecurity } from "../tenants/tenant-store.ts";
import { asAttempt } from "./sign-in-limit.ts";
import {
  confirmUser,
  findUsersByEmail,
  lockSigningIn,
  type User,
  type UserWithPassword,
} from "./user-store.ts";

interface SignInRequest extends AnonymousRequest {
  readonly email: string;
  readonly password: string;
  readonly isKnownDevice: (userId: string) => boolean;
}

export interface FinishedSignIn {
  readonly user: User;
  readonly tenantId: string;
  readonly session: OpenedSession;
}

type SignedIn = FinishedSignIn | { readonly unfinished: OneTimeToken };

/**
 * Throws 401 and 429, and, if the password is right, 403 `tenant_suspended`, another 401 if the tenant has switched passwords
 * off, or 409 `email_taken` if another tenant's user confirms the e-mail at the same moment.
 */
export async function signIn(context: IdentityContext, request: SignInRequest): Promise<SignedIn> {
  const { db, passwords, signInLimit, countAuthFailure, backgroundTasks } = context;
  // A failure does not count if the caller did not learn whether the password is right, or the tenant is suspended.
  const signedIn = await asAttempt(signInLimit, [request.email, request.client], async (attempt) => {
    const users = await findUsersByEmail(db, request.email);
    const known = users.find(({ id }) => request.isKnownDevice(id));
    if (known === undefined) await attempt.countEverywhere(request.email);
    const hashedFor: HashedFor = known === undefined ? { kind: "anyone" } : knownAs(known);
    const hashes = users.map(({ passwordHash }) => passwordHash);
    const matched = await passwords.match(request.password, hashes, hashedFor);
    const user = users.find(({ passwordHash }) => passwordHash === matched) ?? null;
    const admitted =
      user &&
      (await tenantOf(db, user.tenantId).transaction((tx) => admitPassword(tx, user, request, context)));
    if (admitted !== null) return admitted;
    for (const failed of users) {
      // The response must not take longer for an e-mail that exists.
      const tenant = tenantOf(db, failed.tenantId);
      backgroundTasks.run(() => recordByUser(tenant, "auth.login_failed", failed, request));
    }
    return null;
  });
  if (signedIn !== null) return signedIn;
  countAuthFailure("password");
  throw new ApiError("unauthorized", "The e-mail or the password is wrong.");
}

/** Returns null if the user is inactive, or the password changed meanwhile. */
async function admitPassword(
  tx: Tenant,
  verified: UserWithPassword,
  request: SignInRequest,
  { refreshSecrets }: IdentityContext,
): Promise<SignedIn | null> {
  // Before the shared lock on the user: two sign-ins that hold it would deadlock here.
  if (verified.active && !verified.isConfirmed) await confirmUser(tx, verified);
  const user = await lockSigningIn(tx, verified.id);
  if (user?.passwordHash !== verified.passwordHash) return null;
  await refuseSuspended(tx);
  if (!user.isPasswordByOperator && !(await readSecurity(tx)).passwordSignIn) {
    throw new ApiError("unauthorized", "Your shop has switched passwords off. Sign in at your provider.");
  }
  if (user.hasSecondFactor) return { unfinished: await beginSignIn(tx, user.id) };
  const session = await openSession(tx, user.id, request.client, refreshSecrets);
  await recordByUser(tx, "auth.login", user, request);
  return { user, tenantId: tx.tenantId, session };
}

interface FinishRequest extends AnonymousRequest {
  readonly token: string;
  readonly proof: Proof;
  readonly isKnownDevice: (userId: string) => boolean;
}

// Counted in place of an e-mail if the token is unknown.
const ACCOUNT = "second factor";

/** The second step. Throws 401, 429 and 403 `tenant_suspended`. A wrong code counts as a failed sign-in. */
export async function finishSignIn(context: IdentityContext, request: FinishRequest) {
  const { db, signInLimit, countAuthFailure } = context;
  const found = await findSignIn(db, request.token);
  const counted = [found?.email ?? ACCOUNT, request.client] as const;
  const signedIn = await asAttempt(signInLimit, counted, async (attempt) => {
    if (found === null) return null;
    const { tenantId, userId, email } = found;
    // Unknown browsers cannot use up the attempts of known ones.
    await attempt.countEverywhere(request.isKnownDevice(userId) ? `known ${userId}` : email);
    return await tenantOf(db, tenantId).transaction((tx) => admitCode(tx, userId, context, request));
  });
  if (signedIn !== null) return signedIn;
  countAuthFailure("second_factor");
  throw new ApiError(
    "unauthorized",
    "The code is wrong or was used before, or the sign-in has taken too long; then begin again.",
  );
}

/** Returns null if the code is wrong, which is counted. */
async function admitCode(
  tx: Tenant,
  userId: string,
  { sealing, refreshSecrets }: IdentityContext,
  request: FinishRequest,
): Promise<FinishedSignIn | null> {
  const { token, proof } = request;
  const user = await lockSigningIn(tx, userId);
  // A new password or a removed second factor has ended the sign-in.
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
