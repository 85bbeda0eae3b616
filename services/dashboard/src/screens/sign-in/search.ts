// The search parameters of the sign-in. Pure.

export interface SignInSearch {
  /** The address to open after the sign-in, relative to the dashboard. */
  readonly next?: string;
}

/** An address of another site is dropped. */
export function signInSearch(search: Record<string, unknown>): SignInSearch {
  const { next } = search;
  return typeof next === "string" && /^\/(?![/\\])/.test(next) && next !== "/" ? { next } : {};
}
