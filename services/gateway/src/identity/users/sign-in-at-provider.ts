// Signs in, or binds, the user whom the provider has identified (interface §25). The identity decides: only an invited user is
// found by e-mail, once, if the provider has verified it.
import { ApiError } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import type { Kysely } from "kysely";
import type { Tables, Tenant } from "../../tables.ts";
import type { IdentityContext } from "../context.ts";
import { findBoundUser, IdentityTaken, putIdentity } from "../oidc/identity-store.ts";
import type { Claims, ProviderFailure } from "../oidc/provider.ts";
import { type AnonymousRequest, recordByUser } from "../record-about-user.ts";
import { lockSession, openSession } from "../sessions/session-store.ts";
import { refuseSuspended } from "../tenants/operated-tenant.ts";
import { endSetupLink } from "./setup-link.ts";
import type { FinishedSignIn } from "./sign-in.ts";
import {
  confirmUser,
  findUsersByEmail,
  lockSigningIn,
  lockUser,
  type User,
  type UserWithPassword,
} from "./user-store.ts";

export type SignInFailure = ProviderFailure | "not_invited" | "email_unverified" | "suspended";

export async function signInAtProvider(
  { db, refreshSecrets }: IdentityContext,
  claims: Claims,
  request: AnonymousRequest,
): Promise<FinishedSignIn | SignInFailure> {
  const bound = await findBoundUser(db, claims);
  const invited = bound === null ? await findInvited(db, claims) : null;
  if (typeof invited === "string") return invited;
  const { tenantId, userId } = bound ?? { tenantId: invited?.tenantId ?? "", userId: invited?.id ?? "" };
  const work = tenantOf(db, tenantId).transaction(async (tx) => {
    // Before the shared lock on the user: two sign-ins that hold it would deadlock here.
    const isFirst = invited !== null && (await confirmUser(tx, invited));
    const user = await lockSigningIn(tx, userId);
    if (user === null) return "not_invited";
    await refuseSuspended(tx);
    if (isFirst) {
      await bind(tx, user, claims, request);
      await endSetupLink(tx, user.id);
    }
    // The identity was unbound, or another one bound, meanwhile.
    if ((await findBoundUser(tx.db, claims))?.userId !== user.id) return "not_invited";
    const session = await openSession(tx, user.id, request.client, refreshSecrets, { byOidc: true });
    await recordByUser(tx, "auth.login", user, request, { by: "oidc" });
    return { user, tenantId, session };
  });
  return await orFailure(work);
}

/** Returns `not_invited` if several shops have invited the e-mail, because nothing says which shop is meant. */
async function findInvited(db: Kysely<Tables>, claims: Claims): Promise<UserWithPassword | SignInFailure> {
  if (claims.email === null || !claims.isEmailVerified) return "email_unverified";
  // In lower case, some letters beyond ASCII become ASCII letters.
  const email = claims.email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const found = (await findUsersByEmail(db, email)).filter((user) => user.email === email);
  const [user, ...others] = found.filter(({ active, isConfirmed }) => active && !isConfirmed);
  return user === undefined || others.length > 0 ? "not_invited" : user;
}

/** Replaces an earlier identity of an open session's user. Null on success. */
export async function bindIdentity(
  { db }: IdentityContext,
  sessionId: string,
  claims: Claims,
  request: AnonymousRequest,
): Promise<SignInFailure | null> {
  const session = await lockSession(db, sessionId);
  if (session === null) return "expired";
  const work = tenantOf(db, session.tenantId).transaction(async (tx) => {
    const user = await lockUser(tx, session.userId);
    if (user === null || (await lockSession(tx.db, sessionId)) === null) return "expired";
    await refuseSuspended(tx);
    await bind(tx, user, claims, request);
    return null;
  });
  return await orFailure(work);
}

async function bind(tx: Tenant, user: User, claims: Claims, request: AnonymousRequest) {
  await putIdentity(tx, user.id, claims);
  await recordByUser(tx, "identity.linked", user, request, { issuer: claims.issuer });
}

async function orFailure<Result>(work: Promise<Result>): Promise<Result | SignInFailure> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof IdentityTaken) return "refused";
    if (error instanceof ApiError && error.code === "tenant_suspended") return "suspended";
    if (error instanceof ApiError && error.code === "email_taken") return "not_invited";
    throw error;
  }
}
