// A redirect, the normal form of its path, and which targets are allowed (interface §5). Pure.

export const redirectTypes = [301, 302, 307, 308] as const;

export interface Redirect {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly type: number;
  readonly createdAt: Date;
}

const URL_CHARACTERS_MAX = 2_048;

/**
 * Returns the normal form of a path on the site: percent-encoded as the URL standard does, in its original case, without
 * a trailing slash except for `/` itself. Returns null for a string that is not a path or has a query or a fragment, and
 * for a path whose normal form has more than 2,048 characters, which an index could not hold.
 */
export function normalPath(path: string): string | null {
  if (path.length > URL_CHARACTERS_MAX) return null;
  if (!path.startsWith("/") || /[?#]/.test(path) || hasWhitespaceOrControl(path)) return null;
  const { pathname } = new URL(`http://site${path}`);
  const normal = pathname === "/" ? "/" : pathname.replace(/\/+$/, "") || "/";
  return normal.length > URL_CHARACTERS_MAX ? null : normal;
}

/** True for a path on the site (query and fragment allowed) or an absolute http(s) URL. */
export function isTarget(to: string): boolean {
  if (to.length > URL_CHARACTERS_MAX || hasWhitespaceOrControl(to)) return false;
  // A browser treats a target that begins with two slashes as another host.
  if (to.startsWith("/")) return !/^\/[/\\]/.test(to);
  const url = URL.parse(to);
  return url !== null && /^https?:\/\//i.test(to) && url.username === "" && url.password === "";
}

/** Returns the normal path of a target on the same site, or null if no redirect can begin there. */
export function targetPath(to: string): string | null {
  return to.startsWith("/") ? normalPath(to.split(/[?#]/, 1)[0] ?? "") : null;
}

// Whitespace and control characters are not valid in a URL; in a Location header they would allow header injection.
function hasWhitespaceOrControl(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the function looks for them.
  return /[\s\u0000-\u001f\u007f]/.test(text);
}
