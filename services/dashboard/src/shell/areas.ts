// The entries of the navigation: who may use them, and where they lead. Screens below an entry's address belong to it.
import type { ReactNode } from "react";
import type { Needs } from "../session/roles.ts";
import { HomeIcon, KeyIcon } from "../ui/icons.tsx";

export interface Area {
  readonly to: "/" | "/ai-integrations";
  readonly name: string;
  readonly icon: () => ReactNode;
  readonly needs: Needs;
}

export interface AreaGroup {
  readonly name: string;
  readonly areas: readonly Area[];
}

export const AREA_GROUPS: readonly AreaGroup[] = [
  { name: "Shop", areas: [{ to: "/", name: "Overview", icon: HomeIcon, needs: { role: "viewer" } }] },
  {
    name: "Settings",
    areas: [{ to: "/ai-integrations", name: "AI integrations", icon: KeyIcon, needs: { role: "admin" } }],
  },
];

/** The area of an address, below the dashboard's own: `/ai-integrations/x` is in `/ai-integrations`. */
export function areaOf(pathname: string): Area | undefined {
  const areas = AREA_GROUPS.flatMap((group) => group.areas);
  return areas.find(({ to }) => pathname === to || (to !== "/" && pathname.startsWith(`${to}/`)));
}
