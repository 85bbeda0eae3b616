// API keys in words: whether a key works, the choices for its expiry, and its scopes. Pure.
import type { BodyOf, DataOf } from "@tradepost/client/operations";
import { DAY_MS, instantOf } from "../../format/time.ts";

export const EXPIRIES = [
  { value: "never", text: "Never" },
  { value: "30", text: "In 30 days" },
  { value: "90", text: "In 90 days" },
  { value: "365", text: "In a year" },
  { value: "date", text: "On a date…" },
] as const;

/** Returns the time of a choice; null for never. A date means the end of that day in the shop's zone. */
export function expiresAtOf(choice: string, date: string, now: number): string | null {
  if (choice === "never") return null;
  if (choice === "date") return instantOf(`${date}T23:59:59`) ?? null;
  return new Date(now + Number(choice) * DAY_MS).toISOString();
}

const SOONER = [
  { value: "1", text: "In a day" },
  { value: "7", text: "In a week" },
] as const;

export function choicesToShorten(expiresAt: string | null, now: number) {
  const end = expiresAt === null ? Infinity : Date.parse(expiresAt);
  const isEarlier = (days: number) => Number.isNaN(days) || now + days * DAY_MS < end;
  const choices = [...SOONER, ...EXPIRIES].filter(
    ({ value }) => value !== "never" && isEarlier(Number(value)),
  );
  return [{ value: "same", text: "No change" }, ...choices];
}

export type ApiKey = DataOf<"getApiKey">;

const SOON_MS = 7 * DAY_MS;

export function stateOf({ revokedAt, expiresAt }: ApiKey, now: number) {
  const left = expiresAt === null ? Infinity : Date.parse(expiresAt) - now;
  if (revokedAt !== null) return { text: "Revoked", tone: "quiet" } as const;
  if (left <= 0) return { text: "Expired", tone: "quiet" } as const;
  if (left < SOON_MS) return { text: "Expires soon", tone: "warning" } as const;
  return { text: "Active", tone: "good" } as const;
}

export function works({ revokedAt, expiresAt }: ApiKey, now: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now);
}

export type Scope = BodyOf<"createApiKey">["scopes"][number];

export const SCOPES = [
  { scope: "read:crm", name: "See orders and customers", permits: "See orders, payments and customers." },
  {
    scope: "write:crm",
    name: "Change orders and customers",
    permits: "Place and change orders, record payments, ship, cancel and refund; add and change customers.",
  },
  { scope: "write:crm_bulk", name: "Import orders", permits: "Import orders, up to 100 in one request." },
  {
    scope: "read:content",
    name: "See content and deliveries",
    permits: "See entries, drafts too, media, redirects and webhook deliveries.",
  },
  {
    scope: "write:content",
    name: "Change content",
    permits: "Write, publish and delete entries; upload media; change redirects.",
  },
] as const satisfies readonly { scope: Scope; name: string; permits: string }[];

export function moduleOf(scope: Scope): "crm" | "content" {
  return scope.includes("crm") ? "crm" : "content";
}

/** A scope of a newer platform is shown as it is. */
export function nameOf(scope: string): string {
  return SCOPES.find((one) => one.scope === scope)?.name ?? scope;
}

export const PRESETS: readonly { readonly name: string; readonly scopes: readonly Scope[] }[] = [
  { name: "Read only", scopes: ["read:crm", "read:content"] },
  { name: "Orders", scopes: ["read:crm", "write:crm"] },
  { name: "Content", scopes: ["read:content", "write:content"] },
  { name: "Everything", scopes: SCOPES.map(({ scope }) => scope) },
];

export function isSameSet(one: readonly Scope[], other: readonly Scope[]): boolean {
  return one.length === other.length && one.every((scope) => other.includes(scope));
}
