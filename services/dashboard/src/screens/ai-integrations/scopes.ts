// The scopes of a key in the words of the shop. Pure.
import type { BodyOf } from "@tradepost/client/operations";

export type Scope = BodyOf<"createApiKey">["scopes"][number];

interface ScopeText {
  readonly scope: Scope;
  readonly module: "crm" | "content";
  readonly permits: string;
}

export const SCOPES: readonly ScopeText[] = [
  { scope: "read:crm", module: "crm", permits: "See orders, payments and customers." },
  {
    scope: "write:crm",
    module: "crm",
    permits: "Place and change orders, record payments, ship, cancel and refund; add and change customers.",
  },
  { scope: "write:crm_bulk", module: "crm", permits: "Import orders, up to 100 in one request." },
  {
    scope: "read:content",
    module: "content",
    permits: "See entries, drafts too, media, redirects and webhook deliveries.",
  },
  {
    scope: "write:content",
    module: "content",
    permits: "Write, publish and delete entries; upload media; change redirects.",
  },
];
