// A user's second factor: a code of an authenticator app, or a recovery code (interface §20). Users set it up and remove it
// themselves; an admin, an owner or the operator resets it. Setting it up, removing it and resetting it end sessions, as a new
// password does: whoever has stolen one does not keep it.
//
// A code works once: one statement moves the user's latest time step forward, and of parallel uses only one moves it. A recovery code
// is deleted when it is used.
import { randomBytes } from "node:crypto";
import { ApiError, invalid, notFound } from "@tradepost/http";
import type { Tenant } from "@tradepost/postgres";
import { type AuditCause, recordAudit } from "../../audit-log/audit-log.ts";
import type { Tables } from "../../tables.ts";
import { endUserSessions } from "../sessions/session-store.ts";
import type { User } from "../users/user.ts";
import { lockUser } from "../users/user-store.ts";
import { hashOfRecoveryCode, newRecoveryCodes } from "./recovery-code.ts";
import * as store from "./second-factor-store.ts";
import type { SecretSealing } from "./secret-sealing.ts";
import { base32, otpauthUri, SECRET_BYTES, stepsOfCode } from "./totp.ts";

/** What a user presents: exactly one of them is a string. */
export interface Proof {
  readonly code?: string | undefined;
  readonly recoveryCode?: string | undefined;
}

export interface SetUp {
  /** Base32. Shown once. */
  readonly secret: string;
  readonly uri: string;
}

/** Makes a new secret, which does not count before it is confirmed. Throws 409 `conflict` if the user has a second factor. */
export async function setUpFactor(
  tx: Tenant<Tables>,
  sealing: SecretSealing,
  userId: string,
): Promise<SetUp> {
  const user = await lockOwnUser(tx, userId);
  if (user.hasSecondFactor) throw hasOne();
  const secret = randomBytes(SECRET_BYTES);
  await store.putSecret(tx, userId, sealing.seal(secret, { tenantId: tx.tenantId, userId }));
  return { secret: base32(secret), uri: otpauthUri(secret, user.email) };
}

/**
 * The second factor counts from now on, and the user's other sessions end. Resolves with the recovery codes, which are shown once.
 * Throws 404 if none was set up, 409 `conflict` if it is confirmed, and 422 for a wrong code.
 */
export async function confirmFactor(
  tx: Tenant<Tables>,
  sealing: SecretSealing,
  { code, sessionId }: { readonly code: string; readonly sessionId: string },
  cause: AuditCause,
): Promise<string[]> {
  const userId = cause.principal.actor.id;
  const user = await lockOwnUser(tx, userId);
  if (user.hasSecondFactor) throw hasOne();
  if ((await store.findSecret(tx, userId)) === null) throw notFound("second factor");
  if (!(await useProof(tx, sealing, userId, { code }))) throw wrongCode({ code });
  const codes = newRecoveryCodes();
  await store.confirmFactor(
    tx,
    userId,
    codes.map((one) => hashOfRecoveryCode(userId, one)),
  );
  const endedCount = await endUserSessions(tx, userId, { exceptId: sessionId });
  await record(tx, "second_factor.enabled", userId, { endedCount }, cause);
  return codes;
}

/** Removes the caller's own second factor, and ends the other sessions. Throws 404 if there is none, and 422 for a wrong code. */
export async function removeFactor(
  tx: Tenant<Tables>,
  sealing: SecretSealing,
  { proof, sessionId }: { readonly proof: Proof; readonly sessionId: string },
  cause: AuditCause,
): Promise<number> {
  const userId = cause.principal.actor.id;
  const user = await lockOwnUser(tx, userId);
  if (!user.hasSecondFactor) throw notFound("second factor");
  if (!(await useProof(tx, sealing, userId, proof))) throw wrongCode(proof);
  await store.deleteFactor(tx, userId);
  const endedCount = await endUserSessions(tx, userId, { exceptId: sessionId });
  await record(tx, "second_factor.removed", userId, { endedCount }, cause);
  return endedCount;
}

/**
 * Removes the second factor of a user who can no longer use it, and ends the user's sessions. `authorize` throws if the caller may
 * not. Throws 404 if the user does not exist or has none.
 */
export async function resetFactor(
  tx: Tenant<Tables>,
  userId: string,
  authorize: (user: User) => void,
  cause: AuditCause,
): Promise<number> {
  const user = await lockUser(tx, userId);
  if (user === null) throw notFound("user");
  authorize(user);
  if (!user.hasSecondFactor) throw notFound("second factor");
  await store.deleteFactor(tx, userId);
  const endedCount = await endUserSessions(tx, userId);
  await record(tx, "second_factor.removed", userId, { endedCount, by: "reset" }, cause);
  return endedCount;
}

/**
 * Uses up the code or the recovery code. Resolves with false if it is wrong or was used. Throws an Error if the secret cannot be
 * opened: a signing key was dropped too early.
 */
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

/** 422 on the field that was presented. */
export function wrongCode({ recoveryCode }: Proof): ApiError {
  return recoveryCode === undefined
    ? invalid([{ path: "code", message: "is wrong, or was used before" }])
    : invalid([{ path: "recoveryCode", message: "is wrong, or was used before" }]);
}

function hasOne(): ApiError {
  return new ApiError("conflict", "You have a second factor; remove it before you set up another one.");
}

async function lockOwnUser(tx: Tenant<Tables>, userId: string): Promise<User> {
  const user = await lockUser(tx, userId);
  if (user === null) throw new ApiError("unauthorized", "Sign in again.");
  return user;
}

async function record(
  tx: Tenant<Tables>,
  action: "second_factor.enabled" | "second_factor.removed",
  userId: string,
  changes: Record<string, unknown>,
  cause: AuditCause,
): Promise<void> {
  await recordAudit(tx, { action, target: { type: "user", id: userId }, changes }, cause);
}
