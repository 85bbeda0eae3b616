// Who may change whom among a tenant's staff (contract §2): owners are made, changed and removed by owners alone, and
// the last one stays. Pure.
import { ApiError, type Role } from "@tradepost/http";

export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly active: boolean;
  readonly createdAt: Date;
}

export interface UserChange {
  readonly name?: string | undefined;
  readonly role?: Role | undefined;
  readonly active?: boolean | undefined;
  readonly password?: string | undefined;
}

/** Throws 403 where an owner is concerned and the one who acts is none. `roles`: the user's before and after. */
export function authorizeStaffChange(actorRole: Role, roles: readonly (Role | undefined)[]): void {
  if (actorRole !== "owner" && roles.includes("owner")) {
    throw new ApiError("forbidden", "Only an owner may make, change or remove an owner.");
  }
}

/**
 * Throws 403 unless the password is of a viewer or an editor, or the actor is an owner: whoever sets a password can sign in
 * with it. `roles`: the user's before and after the change.
 */
export function authorizePasswordChange(actorRole: Role, roles: readonly Role[]): void {
  const isOfEquals = roles.some((role) => role === "admin" || role === "owner");
  if (actorRole !== "owner" && isOfEquals) {
    throw new ApiError("forbidden", "Only an owner may set the password of an admin or an owner.");
  }
}

/** Throws 409 `last_owner` where the change would leave the tenant without an active owner. `after` null: removed. */
export function protectLastOwner(before: User, after: User | null, otherActiveOwners: number): void {
  const isOwner = (user: User | null) => user !== null && user.role === "owner" && user.active;
  if (isOwner(before) && !isOwner(after) && otherActiveOwners === 0) {
    throw new ApiError("last_owner", "A tenant keeps at least one active owner.");
  }
}
