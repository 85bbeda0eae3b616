// Decides which operations anyone may use. Pure.
import type { About, Route } from "@tradepost/http";

/** Reports whether requests to the operation need no credential. */
export function isOpen({ role }: Route, about: About): boolean {
  return role === "anyone" || about.needsNoCredential === true;
}
