// The entries of the navigation, with their roles and addresses. An entry includes the screens below its address. Pure.
import type { Needs } from "../session/roles.ts";

export const AREA_ICONS = {
  "/": "home",
  "/reports": "chart",
  "/orders": "receipt",
  "/customers": "person",
  "/entries": "page",
  "/content-types": "blocks",
  "/media": "picture",
  "/redirects": "turn",
  "/console": "prompt",
  "/webhooks": "hook",
  "/deliveries": "send",
  "/events": "pulse",
  "/notices": "bell",
  "/ai-integrations": "key",
  "/shop": "shop",
  "/staff": "people",
  "/audit-log": "list",
  "/requests": "exchange",
  "/usage": "gauge",
} as const;

export type AreaPath = keyof typeof AREA_ICONS;

export interface Area {
  readonly to: AreaPath;
  readonly name: string;
  readonly needs: Needs;
  /** After `g`, this key opens the area. */
  readonly key: string;
  /** Other names that people use for it, for the search. */
  readonly alias?: string;
}

export interface AreaGroup {
  readonly name: string;
  readonly areas: readonly Area[];
  readonly folds?: true;
}

const VIEWER = { role: "viewer" } as const;
const CRM = { role: "viewer", module: "crm" } as const;
const CONTENT = { role: "viewer", module: "content" } as const;
const ADMIN = { role: "admin" } as const;

/** The entry behind the bell, which is on every screen. */
export const NOTICES = { to: "/notices", name: "Notices", needs: CONTENT, key: "n" } as const;

export const AREA_GROUPS: readonly AreaGroup[] = [
  {
    name: "Shop",
    areas: [
      { to: "/", name: "Overview", needs: VIEWER, key: "h", alias: "home dashboard" },
      { to: "/reports", name: "Reports", needs: CRM, key: "f", alias: "figures statistics revenue sales" },
      { to: "/orders", name: "Orders", needs: CRM, key: "o" },
      { to: "/customers", name: "Customers", needs: CRM, key: "c" },
    ],
  },
  {
    name: "Content",
    areas: [
      { to: "/entries", name: "Entries", needs: CONTENT, key: "e", alias: "content pages articles" },
      { to: "/content-types", name: "Content types", needs: CONTENT, key: "t" },
      { to: "/media", name: "Media", needs: CONTENT, key: "m", alias: "files images pictures" },
      { to: "/redirects", name: "Redirects", needs: CONTENT, key: "r" },
    ],
  },
  {
    name: "Webhooks",
    areas: [
      { to: "/console", name: "Console", needs: CONTENT, key: "i", alias: "try playground test" },
      {
        to: "/webhooks",
        name: "Subscriptions",
        needs: CONTENT,
        key: "w",
        alias: "webhooks endpoints receivers",
      },
      { to: "/deliveries", name: "Deliveries", needs: CONTENT, key: "d" },
      { to: "/events", name: "Events", needs: CONTENT, key: "v" },
    ],
  },
  {
    name: "Settings",
    folds: true,
    areas: [
      {
        to: "/ai-integrations",
        name: "API keys",
        needs: ADMIN,
        key: "k",
        alias: "AI integrations tokens assistants",
      },
      { to: "/shop", name: "Shop", needs: VIEWER, key: "p", alias: "modules currency address language" },
      { to: "/staff", name: "Staff", needs: ADMIN, key: "s", alias: "users people team" },
      { to: "/audit-log", name: "Audit log", needs: ADMIN, key: "a", alias: "history log" },
      { to: "/requests", name: "Requests", needs: ADMIN, key: "q", alias: "API log calls" },
      { to: "/usage", name: "Usage", needs: ADMIN, key: "l", alias: "quotas limits storage" },
    ],
  },
];

export const AREAS: readonly Area[] = [...AREA_GROUPS.flatMap((group) => group.areas), NOTICES];

/** Screens that need more than their area. */
const STRICTER = [
  { to: "/orders/new", name: "Place an order", needs: { ...CRM, role: "editor" } },
  { to: "/orders/import", name: "Import orders", needs: { ...CRM, role: "editor" } },
  { to: "/entries/new", name: "New entry", needs: { ...CONTENT, role: "editor" } },
] as const;

export function gateOf(pathname: string): Pick<Area, "name" | "needs"> | undefined {
  return STRICTER.find(({ to }) => to === pathname) ?? areaOf(pathname);
}

/** Returns the area of an address relative to the dashboard: `/ai-integrations/x` is in `/ai-integrations`. */
export function areaOf(pathname: string): Area | undefined {
  return AREAS.find(({ to }) => pathname === to || (to !== "/" && pathname.startsWith(`${to}/`)));
}
