import { ApiError } from "./api-error.ts";

/** From lowest to highest (interface §2). */
export const roles = ["viewer", "editor", "admin", "owner"] as const;
export type Role = (typeof roles)[number];

/** The scopes of an API key (interface §2). */
export const scopes = ["read:crm", "write:crm", "write:crm_bulk", "read:content", "write:content"] as const;
type Scope = (typeof scopes)[number];

export interface Client {
  /** In canonical form, with an IPv4-mapped IPv6 address as IPv4. Null if unknown. */
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** The authenticated caller, as the gateway has established it. */
export interface Principal {
  readonly tenantId: string;
  readonly role: Role;
  readonly actor: { readonly type: "api_key" | "user"; readonly id: string; readonly name: string };
  /** Of an API key; empty for a user. */
  readonly scopes: readonly string[];
  readonly modules: readonly string[];
  readonly passedQuotas?: readonly string[];
  /** The addresses in the request that active users have confirmed: the service behind the destination does not know users. */
  readonly confirmedEmails?: readonly string[];
  /** Missing for a link to media. */
  readonly client?: Client;
}

/** The id of no tenant and no user. */
export const NO_ID = "00000000-0000-0000-0000-000000000000";

/** A caller that is neither a user nor a key, by default of no tenant. */
export function principalNamed(name: string, role: Role = "viewer", tenantId = NO_ID): Principal {
  return { tenantId, role, actor: { type: "user", id: NO_ID, name }, scopes: [], modules: [] };
}

export interface Requirement {
  readonly module: string | null;
  readonly role: Role;
  /** A key needs one scope of a list. */
  readonly scope: Scope | readonly Scope[] | null;
  readonly usersOnly?: true | undefined;
}

/**
 * Checks the module, then the role, then the scope (interface §3).
 * @throws 403 `module_disabled`, or 403 `forbidden` that names what is missing.
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
  if (principal.actor.type !== "api_key" || required.scope === null) return;
  const accepted = [required.scope].flat();
  if (accepted.some((scope) => principal.scopes.includes(scope))) return;
  const listed = accepted.map((scope) => `"${scope}"`).join(" and ");
  const needed = accepted.length === 1 ? `the scope ${listed}` : `one of the scopes ${listed}`;
  throw new ApiError("forbidden", `This needs ${needed}, which the key does not have.`);
}
