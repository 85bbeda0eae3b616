// The search parameters of the screen. `all` lists also keys that no longer work. Pure.
import { flagOf, given } from "../../format/search-values.ts";

export function aiIntegrationsSearch({ create, all }: Record<string, unknown>) {
  return given({ create: flagOf(create), all: flagOf(all) });
}
