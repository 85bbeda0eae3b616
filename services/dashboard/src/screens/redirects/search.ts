// The search parameters of the screen. Pure.
import { flagOf, given, textOf } from "../../format/search-values.ts";

export function redirectsSearch({ from, add }: Record<string, unknown>) {
  const path = textOf(from);
  return given({ from: path?.startsWith("/") ? path : undefined, add: flagOf(add) });
}
