import type { DataOf } from "@tradepost/client/operations";
import { createContext, use } from "react";
import { isAllowed, type Needs } from "../session/roles.ts";

export type Me = DataOf<"getMe">;

const MeContext = createContext<Me | null>(null);

export const MeProvider = MeContext.Provider;

/** Only for components in the shell, which shows nothing before the user is known. */
export function useMe(): Me {
  const me = use(MeContext);
  if (me === null) throw new Error("useMe: only in the shell");
  return me;
}

export function useIsAllowed(needs: Needs): boolean {
  return isAllowed(holderOf(useMe()), needs);
}

export function holderOf({ actor, tenant }: Me) {
  return { role: actor.role, modules: tenant.modules };
}
