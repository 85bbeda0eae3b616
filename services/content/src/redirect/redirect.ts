// What a redirect may be, and the normal form of its path (contract §5). Pure.

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
 * The normal form of a path on the site: leading slash kept, trailing slash dropped but for `/`, percent-encoding as
 * the URL standard writes it, case kept. Null for what is no path, or carries a query or a fragment.
 */
export function normalPath(path: string): string | null {
  if (path.length > URL_CHARACTERS_MAX) return null;
  if (!path.startsWith("/") || /[?#]/.test(path) || hasBlanks(path)) return null;
  const { pathname } = new URL(`http://site${path}`);
  return pathname === "/" ? "/" : pathname.replace(/\/+$/, "") || "/";
}

/** True for a path on the site (query and fragment allowed) or an absolute http(s) URL. */
export function isTarget(to: string): boolean {
  if (to.length > URL_CHARACTERS_MAX || hasBlanks(to)) return false;
  // A browser takes what begins with two slashes for another host.
  if (to.startsWith("/")) return !/^\/[/\\]/.test(to);
  const url = URL.parse(to);
  return url !== null && /^https?:\/\//i.test(to) && url.username === "" && url.password === "";
}

/** The normal path that a target leads to on the same site, or null where it leads to another. */
export function targetPath(to: string): string | null {
  return to.startsWith("/") ? normalPath(to.split(/[?#]/, 1)[0] ?? "") : null;
}

// Blanks and control characters have no place in a URL, and in a Location header they would be an attack.
function hasBlanks(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return /[\s\u0000-\u001f\u007f]/.test(text);
}
