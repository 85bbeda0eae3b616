// Creates, changes and deletes staff, each with its audit entry in one transaction.
import { type Principal, type Role, required } from "@tradepost/http";
import { type AuditCause, differences } from "../../audit-log/audit-log.ts";
import type { Tenant } from "../../tables.ts";
import { refuseOwnEmail } from "../passwords/common-password.ts";
import type { Passwords } from "../passwords/password.ts";
import { recordAboutUser } from "../record-about-user.ts";
import { endUserSessions } from "../sessions/session-store.ts";
import type { OneTimeToken } from "../signer.ts";
import { endSetupLink, makeSetupLink } from "./setup-link.ts";
import {
  authorizePasswordChange,
  authorizeStaffChange,
  changedUser,
  protectLastOwner,
  type UserChange,
} from "./user.ts";
import * as store from "./user-store.ts";

interface StaffCause extends AuditCause {
  readonly principal: Principal;
}

interface NewUser extends Pick<store.User, "email" | "name" | "role"> {
  readonly password?: string | null | undefined;
}

/**
 * Gives a user without a password a set-up link. `finish` runs last in the transaction. Throws 403 unless an owner creates an
 * owner, 422 if the password is the e-mail, and 409 `email_taken`.
 */
export async function createUser<Result>(
  tenant: Tenant,
  passwords: Passwords,
  input: NewUser,
  cause: StaffCause,
  finish: (tx: Tenant, user: store.User, setup: OneTimeToken | null) => Promise<Result>,
): Promise<Result> {
  authorizeStaffChange(cause.principal.role, [input.role]);
  const password = input.password ?? null;
  if (password !== null) refuseOwnEmail("password", password, input.email);
  if (await store.isEmailTaken(tenant, input.email)) throw store.emailTaken();
  const passwordHash = await hashForStaff(tenant, passwords, input.email, password);
  return await tenant.transaction(async (tx) => {
    const user = await store.insertUser(tx, { ...input, passwordHash });
    const { id, email, name, role } = user;
    await recordAboutUser(tx, "user.created", id, cause, { email, name, role });
    const setup = password === null ? await makeSetupLink(tx, user.id, () => {}, cause) : null;
    return await finish(tx, user, setup);
  });
}

/**
 * Throws 404, 403, 422 if the password is the e-mail, and 409 `last_owner`. A new password ends the user's sessions and set-up
 * link. Another role and deactivation also end the link, which its maker might not be allowed to make for the new role.
 */
export async function changeUser(
  tenant: Tenant,
  passwords: Passwords,
  id: string,
  change: UserChange,
  cause: StaffCause,
): Promise<store.User> {
  const { role: actorRole } = cause.principal;
  const passwordHash = await hashNewPassword(tenant, passwords, id, change, actorRole);
  return await tenant.transaction(async (tx) => {
    await store.lockStaff(tx);
    const { before, after } = await allowedChange(tx, id, change, actorRole);
    const changed = differences(before, after);
    if (changed === null && passwordHash === undefined) return after;
    await store.updateUser(tx, after, passwordHash);
    if (passwordHash !== undefined) await endUserSessions(tx, id);
    if (passwordHash !== undefined || before.role !== after.role || !after.active) await endSetupLink(tx, id);
    const changes = { ...changed, ...(passwordHash !== undefined && { password: "changed" }) };
    await recordAboutUser(tx, "user.updated", id, cause, changes);
    return after;
  });
}

/** Throws 404, 403 and 409 `last_owner`. */
export async function deleteUser(tenant: Tenant, id: string, cause: StaffCause): Promise<void> {
  await tenant.transaction(async (tx) => {
    await store.lockStaff(tx);
    const before = await findManagedUser(tx, id, cause.principal.role);
    protectLastOwner(before, null, await store.countOtherActiveOwners(tx, id));
    await store.deleteUser(tx, id);
    await recordAboutUser(tx, "user.deleted", id, cause, { email: before.email, role: before.role });
  });
}

/** Throws 404, and 403 for an owner unless the caller is one. */
export async function findManagedUser(tenant: Tenant, id: string, actorRole: Role) {
  const user = required(await store.findUser(tenant, id), "user");
  authorizeStaffChange(actorRole, [user.role]);
  return user;
}

/** Checks the change before the expensive hash. The transaction checks again. */
async function hashNewPassword(
  tenant: Tenant,
  passwords: Passwords,
  id: string,
  change: UserChange,
  actorRole: Role,
): Promise<string | undefined> {
  if (change.password === undefined) return undefined;
  const { before } = await allowedChange(tenant, id, change, actorRole);
  refuseOwnEmail("password", change.password, before.email);
  return await hashForStaff(tenant, passwords, before.email, change.password);
}

/** With the salt of the e-mail's first user, of any tenant: a sign-in then tries both with one hash. */
async function hashForStaff(
  { db, tenantId }: Tenant,
  passwords: Passwords,
  email: string,
  password: string | null,
): Promise<string> {
  const [first] = await store.findUsersByEmail(db, email);
  if (password === null) return passwords.unmatchable(first?.passwordHash);
  return await passwords.hash(password, { kind: "staff", tenantId }, first?.passwordHash);
}

async function allowedChange(tenant: Tenant, id: string, change: UserChange, actorRole: Role) {
  const before = required(await store.findUser(tenant, id), "user");
  const after = changedUser(before, change);
  authorizeStaffChange(actorRole, [before.role, after.role]);
  if (change.password !== undefined) authorizePasswordChange(actorRole, [before.role, after.role]);
  protectLastOwner(before, after, await store.countOtherActiveOwners(tenant, id));
  return { before, after };
}
