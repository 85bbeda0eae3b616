// A row of the API's route tables. Pure.
import type { About, Route } from "@tradepost/http";

/** A row with its description. */
export type DescribedRoute = Route & { readonly about: About };

/** @throws an Error for a route without a description. */
export function requireAbout(row: Route): DescribedRoute {
  if (row.about === null) throw new Error(`${row.method} ${row.path} has no description`);
  return row as DescribedRoute;
}
