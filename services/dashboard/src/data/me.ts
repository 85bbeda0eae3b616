// The signed-in user and their shop, for every screen in the shell.
import type { DataOf } from "@tradepost/client/operations";
import { createContext, use } from "react";

export type Me = DataOf<"getMe">;

const MeContext = createContext<Me | null>(null);

export const MeProvider = MeContext.Provider;

/** Only for components in the shell, which shows nothing before the user is known. */
export function useMe(): Me {
  const me = use(MeContext);
  if (me === null) throw new Error("useMe: only in the shell");
  return me;
}

export function holderOf({ actor, tenant }: Me) {
  return { role: actor.role, modules: tenant.modules };
}
