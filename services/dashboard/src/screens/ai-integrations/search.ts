// The search parameters of the screen: the open form for a new key, and whether keys are listed that no longer work. Pure.
import { flagOf, given } from "../../format/search-values.ts";

export function aiIntegrationsSearch({ create, all }: Record<string, unknown>) {
  return given({ create: flagOf(create), all: flagOf(all) });
}
