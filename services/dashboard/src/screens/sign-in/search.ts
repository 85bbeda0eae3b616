// The search parameters of the sign-in: the address to open afterwards, relative to the dashboard, and why a sign-in by
// link or at the provider failed. Pure.
import { given } from "../../format/search-values.ts";
import { failureSearch } from "../../format/sign-in-failures.ts";

/** An address of another site is dropped. */
export function signInSearch({ next, failure }: Record<string, unknown>) {
  const isHere = typeof next === "string" && /^\/(?![/\\])/.test(next) && next !== "/";
  return { ...given({ next: isHere ? next : undefined }), ...failureSearch({ failure }) };
}
