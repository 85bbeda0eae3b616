// The entries of the navigation, with their roles and addresses. An entry includes the screens below its address.
import type { ReactNode } from "react";
import type { Needs } from "../session/roles.ts";
import {
  BellIcon,
  BlocksIcon,
  HomeIcon,
  HookIcon,
  KeyIcon,
  ListIcon,
  PageIcon,
  PeopleIcon,
  PersonIcon,
  PictureIcon,
  PulseIcon,
  ReceiptIcon,
  SendIcon,
  SwitchIcon,
  TurnIcon,
} from "../ui/icons.tsx";

export interface Area {
  readonly to: AreaPath;
  readonly name: string;
  readonly icon: () => ReactNode;
  readonly needs: Needs;
}

type AreaPath =
  | "/"
  | "/orders"
  | "/customers"
  | "/entries"
  | "/content-types"
  | "/media"
  | "/redirects"
  | "/webhooks"
  | "/deliveries"
  | "/events"
  | "/notices"
  | "/ai-integrations"
  | "/staff"
  | "/modules"
  | "/audit-log";

export interface AreaGroup {
  readonly name: string;
  readonly areas: readonly Area[];
}

const VIEWER = { role: "viewer" } as const;
const CRM = { role: "viewer", module: "crm" } as const;
const CONTENT = { role: "viewer", module: "content" } as const;
const ADMIN = { role: "admin" } as const;

/** The entry behind the bell, which is on every screen. */
export const NOTICES = { to: "/notices", name: "Notices", icon: BellIcon, needs: CONTENT } as const;

export const AREA_GROUPS: readonly AreaGroup[] = [
  {
    name: "Shop",
    areas: [
      { to: "/", name: "Overview", icon: HomeIcon, needs: VIEWER },
      { to: "/orders", name: "Orders", icon: ReceiptIcon, needs: CRM },
      { to: "/customers", name: "Customers", icon: PersonIcon, needs: CRM },
    ],
  },
  {
    name: "Content",
    areas: [
      { to: "/entries", name: "Entries", icon: PageIcon, needs: CONTENT },
      { to: "/content-types", name: "Content types", icon: BlocksIcon, needs: CONTENT },
      { to: "/media", name: "Media", icon: PictureIcon, needs: CONTENT },
      { to: "/redirects", name: "Redirects", icon: TurnIcon, needs: CONTENT },
    ],
  },
  {
    name: "Webhooks",
    areas: [
      { to: "/webhooks", name: "Subscriptions", icon: HookIcon, needs: CONTENT },
      { to: "/deliveries", name: "Deliveries", icon: SendIcon, needs: CONTENT },
      { to: "/events", name: "Events", icon: PulseIcon, needs: CONTENT },
    ],
  },
  {
    name: "Settings",
    areas: [
      { to: "/ai-integrations", name: "AI integrations", icon: KeyIcon, needs: ADMIN },
      { to: "/staff", name: "Staff", icon: PeopleIcon, needs: ADMIN },
      { to: "/modules", name: "Modules", icon: SwitchIcon, needs: VIEWER },
      { to: "/audit-log", name: "Audit log", icon: ListIcon, needs: ADMIN },
    ],
  },
];

/** Returns the area of an address relative to the dashboard: `/ai-integrations/x` is in `/ai-integrations`. */
export function areaOf(pathname: string): Area | undefined {
  const areas: readonly Area[] = [...AREA_GROUPS.flatMap((group) => group.areas), NOTICES];
  return areas.find(({ to }) => pathname === to || (to !== "/" && pathname.startsWith(`${to}/`)));
}
