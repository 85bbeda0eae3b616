// The search parameter of the screen. Pure.
import { given, textOf } from "../../format/search-values.ts";

export function mediaSearch({ search }: Record<string, unknown>) {
  return given({ search: textOf(search) });
}
