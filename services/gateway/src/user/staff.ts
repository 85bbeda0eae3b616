// Makes, changes and removes staff, each with its audit entry in one transaction.
import { notFound, type Principal } from "@tradepost/http";
import type { Kysely } from "kysely";
import { type AuditCause, recordAudit } from "../audit-log/audit-log-store.ts";
import { endUserSessions } from "../session/session-store.ts";
import type { Tables } from "../tables.ts";
import { hashPassword } from "./password.ts";
import {
  authorizePasswordChange,
  authorizeStaffChange,
  protectLastOwner,
  type User,
  type UserChange,
} from "./user.ts";
import * as store from "./user-store.ts";

interface StaffCause extends AuditCause {
  readonly principal: Principal;
}

/** Throws 403 for an owner made by another, 409 `email_taken`. */
export async function createUser(
  db: Kysely<Tables>,
  input: Pick<User, "email" | "name" | "role"> & { password: string },
  cause: StaffCause,
): Promise<User> {
  authorizeStaffChange(cause.principal.role, [input.role]);
  const passwordHash = await hashPassword(input.password);
  return await db.transaction().execute(async (tx) => {
    const user = await store.insertUser(tx, cause.principal.tenantId, { ...input, passwordHash });
    const changes = { email: user.email, name: user.name, role: user.role };
    await recordAudit(tx, { action: "user.created", target: { type: "user", id: user.id }, changes }, cause);
    return user;
  });
}

/** Throws 404, 403 and 409 `last_owner`. A new password ends the user's sessions. */
export async function changeUser(
  db: Kysely<Tables>,
  id: string,
  change: UserChange,
  cause: StaffCause,
): Promise<User> {
  const { tenantId, role: actorRole } = cause.principal;
  const passwordHash = change.password === undefined ? undefined : await hashPassword(change.password);
  return await db.transaction().execute(async (tx) => {
    await store.lockStaff(tx, tenantId);
    const before = await store.findUser(tx, tenantId, id);
    if (before === null) throw notFound("user");
    const after = {
      ...before,
      name: change.name ?? before.name,
      role: change.role ?? before.role,
      active: change.active ?? before.active,
    };
    authorizeStaffChange(actorRole, [before.role, after.role]);
    if (passwordHash !== undefined) {
      authorizePasswordChange(actorRole, [before.role, after.role]);
    }
    protectLastOwner(before, after, await store.countOtherActiveOwners(tx, tenantId, id));
    await store.updateUser(tx, tenantId, after, passwordHash);
    if (passwordHash !== undefined) await endUserSessions(tx, { tenantId, userId: id });
    // Of a password the log says that it was changed, and nothing else.
    const changes = {
      ...differences(before, after),
      ...(passwordHash !== undefined && { password: "changed" }),
    };
    await recordAudit(tx, { action: "user.updated", target: { type: "user", id }, changes }, cause);
    return after;
  });
}

/** Throws 404, 403 and 409 `last_owner`. */
export async function deleteUser(db: Kysely<Tables>, id: string, cause: StaffCause): Promise<void> {
  const { tenantId, role: actorRole } = cause.principal;
  await db.transaction().execute(async (tx) => {
    await store.lockStaff(tx, tenantId);
    const before = await store.findUser(tx, tenantId, id);
    if (before === null) throw notFound("user");
    authorizeStaffChange(actorRole, [before.role]);
    protectLastOwner(before, null, await store.countOtherActiveOwners(tx, tenantId, id));
    await store.deleteUser(tx, tenantId, id);
    const changes = { email: before.email, role: before.role };
    await recordAudit(tx, { action: "user.deleted", target: { type: "user", id }, changes }, cause);
  });
}

function differences(before: User, after: User): Record<string, unknown> {
  const fields = ["name", "role", "active"] as const;
  const changed = fields.filter((field) => before[field] !== after[field]);
  return Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]));
}
