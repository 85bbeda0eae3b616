// The scopes of a key in the words of the shop. Pure.
import type { BodyOf } from "@tradepost/client/operations";

export type Scope = BodyOf<"createApiKey">["scopes"][number];

interface ScopeText {
  readonly scope: Scope;
  readonly name: string;
  readonly module: "crm" | "content";
  readonly permits: string;
}

export const SCOPES: readonly ScopeText[] = [
  {
    scope: "read:crm",
    name: "See orders and customers",
    module: "crm",
    permits: "See orders, payments and customers.",
  },
  {
    scope: "write:crm",
    name: "Change orders and customers",
    module: "crm",
    permits: "Place and change orders, record payments, ship, cancel and refund; add and change customers.",
  },
  {
    scope: "write:crm_bulk",
    name: "Import orders",
    module: "crm",
    permits: "Import orders, up to 100 in one request.",
  },
  {
    scope: "read:content",
    name: "See content and deliveries",
    module: "content",
    permits: "See entries, drafts too, media, redirects and webhook deliveries.",
  },
  {
    scope: "write:content",
    name: "Change content",
    module: "content",
    permits: "Write, publish and delete entries; upload media; change redirects.",
  },
];

/** A scope of a newer platform is shown as it is. */
export function nameOf(scope: string): string {
  return SCOPES.find((one) => one.scope === scope)?.name ?? scope;
}

interface Preset {
  readonly name: string;
  readonly scopes: readonly Scope[];
}

export const PRESETS: readonly Preset[] = [
  { name: "Read only", scopes: ["read:crm", "read:content"] },
  { name: "Orders", scopes: ["read:crm", "write:crm"] },
  { name: "Content", scopes: ["read:content", "write:content"] },
  { name: "Everything", scopes: SCOPES.map(({ scope }) => scope) },
];

export function isSameSet(one: readonly Scope[], other: readonly Scope[]): boolean {
  return one.length === other.length && one.every((scope) => other.includes(scope));
}
