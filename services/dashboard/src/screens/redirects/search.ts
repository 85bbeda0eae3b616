// The search parameters of the screen. Pure.
import { flagOf, given, textOf } from "../../format/search-values.ts";

export function redirectsSearch({ search, add }: Record<string, unknown>) {
  return given({ search: textOf(search), add: flagOf(add) });
}
