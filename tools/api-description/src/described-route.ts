import type { About, Route } from "@tradepost/http";

export type DescribedRoute = Route & { readonly about: About };

/** @throws an Error without a description. */
export function requireAbout(row: Route): DescribedRoute {
  if (row.about === null) throw new Error(`${row.method} ${row.path} has no description`);
  return row as DescribedRoute;
}

/** Requests need no credential. */
export function isOpen({ role }: Route, about: About): boolean {
  return role === "anyone" || about.needsNoCredential === true;
}
