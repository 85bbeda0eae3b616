// The callers who may use routes of no module.
import type { Role } from "@tradepost/http";

function forRole<Least extends Role | "anyone">(role: Least) {
  return { module: null, role, scope: null } as const;
}

export const ANYONE = forRole("anyone");
export const VIEWER = forRole("viewer");
export const ADMIN = forRole("admin");
export const OWNER = forRole("owner");
