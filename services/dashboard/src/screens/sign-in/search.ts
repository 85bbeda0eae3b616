// The search parameters of the sign-in. Pure.

export interface SignInSearch {
  /** The address to go on to, below the dashboard's own. */
  readonly next?: string;
}

/** An address of another site is dropped. */
export function signInSearch(search: Record<string, unknown>): SignInSearch {
  const { next } = search;
  return typeof next === "string" && /^\/(?![/\\])/.test(next) && next !== "/" ? { next } : {};
}
