// Decides whether a principal may use a route (interface §3). Pure.
import { ApiError } from "./api-error.ts";
import { type Principal, type Role, roles, type Scope } from "./principal.ts";

/** What a route requires of its caller. */
export interface Requirement {
  readonly module: string | null;
  readonly role: Role;
  readonly scope: Scope | null;
  readonly usersOnly?: true | undefined;
}

/**
 * Checks that the principal may use a route: the module, then the role, then the scope (interface §3).
 *
 * @throws 403 `module_disabled`, or 403 `forbidden` with a message that names what is missing.
 */
export function permit(principal: Principal, required: Requirement): void {
  if (required.module !== null && !principal.modules.includes(required.module)) {
    throw new ApiError("module_disabled", `The module "${required.module}" is not active for this tenant.`);
  }
  if (required.usersOnly && principal.actor.type !== "user") {
    throw new ApiError("forbidden", "This needs a dashboard token; API keys are not accepted.");
  }
  if (roles.indexOf(principal.role) < roles.indexOf(required.role)) {
    throw new ApiError(
      "forbidden",
      `This needs the role "${required.role}"; the caller has "${principal.role}".`,
    );
  }
  const hasScopes = principal.actor.type === "api_key";
  if (hasScopes && required.scope !== null && !principal.scopes.includes(required.scope)) {
    throw new ApiError("forbidden", `This needs the scope "${required.scope}", which the key does not have.`);
  }
}
