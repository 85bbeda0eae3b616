// Which operations anyone may use. Pure.
import type { About, Route } from "@tradepost/http";

/** True if the request needs no credential. */
export function isOpen({ role }: Route, about: About): boolean {
  return role === "anyone" || about.needsNoCredential === true;
}
