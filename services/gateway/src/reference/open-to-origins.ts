// Which paths pages of other origins may use (interface §11). Pure.

/**
 * True for the API without /v1/auth. A request under it has a bearer credential, which a page of another origin has to know,
 * so the page can do what any program with the credential can. The routes under /v1/auth use cookies or take passwords.
 */
export function isOpenToOrigins(path: string): boolean {
  return /^\/v1(\/|$)/.test(path) && !path.startsWith("/v1/auth/");
}
