// A user's second factor (interface §20). Each change ends sessions, as a new password does, so that a stolen one does not
// survive.
import { randomBytes } from "node:crypto";
import { ApiError, notFound, required } from "@tradepost/http";
import type { AuditCause } from "../../audit-log/audit-log.ts";
import type { Tenant } from "../../tables.ts";
import { recordAboutUser } from "../record-about-user.ts";
import {
  hashOfRecoveryCode,
  newRecoveryCodes,
  type Proof,
  useProof,
  wrongProof,
} from "../second-factor/proof.ts";
import * as store from "../second-factor/second-factor-store.ts";
import type { SecretSealing } from "../second-factor/secret-sealing.ts";
import { base32, otpauthUri, SECRET_BYTES } from "../second-factor/totp.ts";
import { endUserSessions } from "../sessions/session-store.ts";
import { lockUser, type User } from "./user-store.ts";

/** The secret is in base32. It does not count before it is confirmed. Throws 409 `conflict` if the user has one. */
export async function setUpFactor(tx: Tenant, sealing: SecretSealing, userId: string) {
  const user = await lockOwnUser(tx, userId);
  if (user.hasSecondFactor) throw hasOne();
  const secret = randomBytes(SECRET_BYTES);
  await store.putSecret(tx, userId, sealing.seal(secret, { tenantId: tx.tenantId, userId }));
  return { secret: base32(secret), uri: otpauthUri(secret, user.email) };
}

/**
 * Ends the other sessions. Returns the recovery codes, which are shown once. Throws 404 if none was set up, 409 `conflict`
 * if it is confirmed, and 422 for a wrong code.
 */
export async function confirmFactor(
  tx: Tenant,
  sealing: SecretSealing,
  { code, sessionId }: { readonly code: string; readonly sessionId: string },
  cause: AuditCause,
): Promise<string[]> {
  const userId = cause.principal.actor.id;
  const user = await lockOwnUser(tx, userId);
  if (user.hasSecondFactor) throw hasOne();
  if ((await store.findSecret(tx, userId)) === null) throw notFound("second factor");
  if (!(await useProof(tx, sealing, userId, { code }))) throw wrongProof({ code });
  const codes = newRecoveryCodes();
  await store.confirmFactor(
    tx,
    userId,
    codes.map((one) => hashOfRecoveryCode(userId, one)),
  );
  const endedCount = await endUserSessions(tx, userId, { exceptId: sessionId });
  await recordAboutUser(tx, "second_factor.enabled", userId, cause, { endedCount });
  return codes;
}

/** Ends the other sessions. Throws 404 without one, and 422 for a wrong code. */
export async function removeFactor(
  tx: Tenant,
  sealing: SecretSealing,
  { proof, sessionId }: { readonly proof: Proof; readonly sessionId: string },
  cause: AuditCause,
): Promise<number> {
  const userId = cause.principal.actor.id;
  const user = await lockOwnUser(tx, userId);
  if (!user.hasSecondFactor) throw notFound("second factor");
  if (!(await useProof(tx, sealing, userId, proof))) throw wrongProof(proof);
  await store.deleteFactor(tx, userId);
  const endedCount = await endUserSessions(tx, userId, { exceptId: sessionId });
  await recordAboutUser(tx, "second_factor.removed", userId, cause, { endedCount });
  return endedCount;
}

/** Removes the factor of a user who can no longer use it, and ends the sessions. `authorize` may throw. Throws 404. */
export async function resetFactor(
  tx: Tenant,
  userId: string,
  authorize: (user: User) => void,
  cause: AuditCause,
): Promise<number> {
  const user = required(await lockUser(tx, userId), "user");
  authorize(user);
  if (!user.hasSecondFactor) throw notFound("second factor");
  await store.deleteFactor(tx, userId);
  const endedCount = await endUserSessions(tx, userId);
  await recordAboutUser(tx, "second_factor.removed", userId, cause, { endedCount, by: "reset" });
  return endedCount;
}

function hasOne(): ApiError {
  return new ApiError("conflict", "You have a second factor; remove it before you set up another one.");
}

async function lockOwnUser(tx: Tenant, userId: string): Promise<User> {
  const user = await lockUser(tx, userId);
  if (user === null) throw new ApiError("unauthorized", "Sign in again.");
  return user;
}
