// The authenticated caller, as established by the gateway.

/** The roles from lowest to highest (interface §2). */
export const roles = ["viewer", "editor", "admin", "owner"] as const;
export type Role = (typeof roles)[number];

/** The scopes that an API key may have (interface §2). */
export const scopes = ["read:crm", "write:crm", "write:crm_bulk", "read:content", "write:content"] as const;
export type Scope = (typeof scopes)[number];

/** The kinds of data of which each tenant may store a limited number of bytes (interface §19). */
export const quotas = ["mediaBytes", "eventBytes"] as const;
/** A quota. */
export type Quota = (typeof quotas)[number];

/** Where a request came from. */
export interface Client {
  /** In canonical form, with an IPv4-mapped IPv6 address as IPv4. Null if unknown. */
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** The authenticated caller. */
export interface Principal {
  readonly tenantId: string;
  readonly role: Role;
  readonly actor: { readonly type: "api_key" | "user"; readonly id: string; readonly name: string };
  /** The scopes of an API key. Empty for a user, who is limited only by the role. */
  readonly scopes: readonly string[];
  /** The tenant's active modules. */
  readonly modules: readonly string[];
  /** The quotas that the tenant has used up; a missing field means none. */
  readonly passedQuotas?: readonly Quota[];
  /**
   * Which e-mail addresses in the request are confirmed ones of active users of the tenant. Only for the destination of notices:
   * the service behind it does not know users.
   */
  readonly confirmedEmails?: readonly string[];
  /** For the audit log. Missing if the gateway sent none: for a link to media, and in version 0.2.0. */
  readonly client?: Client;
}
