// A row of the API's route tables. Pure.
import type { About, Route } from "@tradepost/http";

/** A row with its description. */
export type DescribedRoute = Route & { readonly about: About };

/**
 * Returns the route if it has a description.
 *
 * @throws an Error otherwise.
 */
export function requireAbout(row: Route): DescribedRoute {
  if (row.about === null) throw new Error(`${row.method} ${row.path} has no description`);
  return row as DescribedRoute;
}

/** Reports whether requests to the operation need no credential. */
export function isOpen({ role }: Route, about: About): boolean {
  return role === "anyone" || about.needsNoCredential === true;
}
