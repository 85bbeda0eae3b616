// The search parameter of the screen. Pure.
import { flagOf, given } from "../../format/search-values.ts";

export function staffSearch({ add }: Record<string, unknown>) {
  return given({ add: flagOf(add) });
}
