// Which staff user may change which other one (interface §2). Pure.
import { ApiError, type Principal, type Role } from "@tradepost/http";
import type { z } from "zod";
import type { userChangeInput } from "./user-input.ts";
import type { User } from "./user-store.ts";

export function userResource(user: User) {
  const { id, email, name, role, active, createdAt, lastSignInAt } = user;
  const state = !active ? "inactive" : user.isConfirmed ? "active" : "invited";
  const shown = { id, email, name, role, active, createdAt, state, lastSignInAt } as const;
  return { ...shown, secondFactor: user.hasSecondFactor };
}

export type UserChange = z.output<typeof userChangeInput>;

export function changedUser(before: User, change: UserChange): User {
  return {
    ...before,
    name: change.name ?? before.name,
    role: change.role ?? before.role,
    active: change.active ?? before.active,
  };
}

/** Throws 403 unless an owner acts on an owner. `roles` are the user's, before and after the change. */
export function authorizeStaffChange(actorRole: Role, roles: readonly Role[]): void {
  if (actorRole !== "owner" && roles.includes("owner")) {
    throw new ApiError("forbidden", "Only an owner may manage an owner.");
  }
}

/**
 * Throws 403 unless the user is a viewer or an editor, or the actor is an owner: an admin could otherwise sign in as the user.
 */
export function authorizePasswordChange(actorRole: Role, roles: readonly Role[]): void {
  const isAdminOrOwner = roles.some((role) => role === "admin" || role === "owner");
  if (actorRole !== "owner" && isAdminOrOwner) {
    throw new ApiError("forbidden", "Only an owner may set the password of an admin or an owner.");
  }
}

/** Throws 403 as for passwords, and for the own second factor, which a stolen session could then remove. */
export function authorizeReset(caller: Pick<Principal, "role" | "actor">, user: User): void {
  if (caller.actor.id === user.id) {
    throw new ApiError("forbidden", "Remove your own second factor with DELETE /v1/me/second-factor.");
  }
  if (caller.role !== "owner" && (user.role === "admin" || user.role === "owner")) {
    throw new ApiError("forbidden", "Only an owner may reset the second factor of an admin or an owner.");
  }
}

/** Throws 409 `last_owner`. `after` is null for a deletion. */
export function protectLastOwner(before: User, after: User | null, otherActiveOwners: number): void {
  const isActiveOwner = (user: User | null) => user !== null && user.role === "owner" && user.active;
  if (isActiveOwner(before) && !isActiveOwner(after) && otherActiveOwners === 0) {
    throw new ApiError("last_owner", "A tenant must have at least one active owner.");
  }
}
