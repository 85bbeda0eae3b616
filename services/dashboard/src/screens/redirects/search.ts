// The search parameters of the screen. Pure.
import { given, textOf } from "../../format/search-values.ts";

export interface RedirectsSearch {
  readonly from?: string;
  readonly add?: true;
}

export function redirectsSearch({ from, add }: Record<string, unknown>): RedirectsSearch {
  const path = textOf(from);
  return given({ from: path?.startsWith("/") ? path : undefined, add: add === true ? add : undefined });
}
