// The filters of the customers, and the open form for a new one, which are in the address. Pure.
import { flagOf, given, textOf } from "../../format/search-values.ts";

export function customersSearch({ search, externalId, add }: Record<string, unknown>) {
  return given({ search: textOf(search), externalId: textOf(externalId), add: flagOf(add) });
}
