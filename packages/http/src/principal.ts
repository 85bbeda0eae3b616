// Who is calling, once the gateway has established it: what every handler gets as an argument and never reads again.
/** Lowest to highest (specification, Authentication 7). */
export const roles = ["viewer", "editor", "admin", "owner"] as const;
export type Role = (typeof roles)[number];

/** What a key may be narrowed to (contract §2). */
export const scopes = ["read:crm", "write:crm", "write:crm_bulk", "read:content", "write:content"] as const;
export type Scope = (typeof scopes)[number];

export interface Principal {
  readonly tenantId: string;
  readonly role: Role;
  readonly actor: { readonly type: "api_key" | "user"; readonly id: string; readonly name: string };
  /** A key's scopes; a user has none and is bound by role alone. */
  readonly scopes: readonly string[];
  /** The tenant's active modules. */
  readonly modules: readonly string[];
}
