// Sets a password with a one-time link, under the limits of a sign-in, and ends the user's sessions.
import { ApiError } from "@tradepost/http";
import { type Tenant, tenantOf } from "@tradepost/postgres";
import type { Tables } from "../../tables.ts";
import type { IdentityContext } from "../context.ts";
import { refuseOwnEmail } from "../passwords/common-password.ts";
import { knownAs } from "../passwords/hash-queue.ts";
import { type AnonymousRequest, recordByUser } from "../record-about-user.ts";
import { endUserSessions } from "../sessions/session-store.ts";
import { refuseSuspended } from "../tenants/operated-tenant.ts";
import { findUserOfLink, takeSetupLink } from "./setup-link.ts";
import { asAttempt } from "./sign-in-limit.ts";
import { confirmUser, lockUser, refuseLostEmail, type User, updateUser } from "./user-store.ts";

interface SetupRequest extends AnonymousRequest {
  readonly token: string;
  readonly password: string;
}

// Counted in place of the e-mail in the limits of an address. Not counted everywhere: attackers could then keep all users from
// setting their passwords.
const ACCOUNT = "set-up link";

/**
 * Only a success uses the link up. Throws 401, 422 if the password is the own e-mail, 403 `tenant_suspended`, 409
 * `email_taken` if another tenant's user has confirmed the e-mail first, and 429.
 */
export async function setUpPassword(context: IdentityContext, request: SetupRequest): Promise<User> {
  const { signInLimit, countAuthFailure } = context;
  const work = () => applyLink(context, request);
  const user = await asAttempt(signInLimit, [ACCOUNT, request.client], work);
  if (user !== null) return user;
  countAuthFailure("setup_link");
  throw new ApiError("unauthorized", "The set-up link was used, has expired or is unknown.");
}

/** Checks the token before the expensive hash, and again in the transaction. */
async function applyLink({ db, passwords }: IdentityContext, request: SetupRequest): Promise<User | null> {
  const found = await findUserOfLink(db, request.token);
  if (found === null) return null;
  const tenant = tenantOf(db, found.tenantId);
  await refuseSuspended(tenant);
  await refuseLostEmail(tenant, found.userId);
  refuseOwnEmail("password", request.password, found.email);
  const hashedFor = knownAs({ id: found.userId, tenantId: found.tenantId });
  const passwordHash = await passwords.hash(request.password, hashedFor);
  return await tenant.transaction((tx) => setPassword(tx, found.userId, passwordHash, request));
}

async function setPassword(
  tx: Tenant<Tables>,
  userId: string,
  passwordHash: string,
  request: SetupRequest,
): Promise<User | null> {
  const user = await lockUser(tx, userId);
  const link = user?.active ? await takeSetupLink(tx, userId, request.token) : null;
  if (user === null || link === null) return null;
  await updateUser(tx, user, passwordHash, link);
  await confirmUser(tx, { id: userId, passwordHash });
  const endedCount = await endUserSessions(tx, userId);
  await recordByUser(tx, "auth.password_changed", user, request, { endedCount, by: "setup_link" });
  return { ...user, isConfirmed: true };
}
