// The normal form of a path on the site, and the targets that a redirect may have (interface §5). Pure.

export const URL_CHARACTERS_MAX = 2_048;

// An octet that is percent-encoded, or a character that RFC 3986 does not allow in a path: `|`, or a `%` that encodes nothing.
const ENCODED_OR_NOT_ALLOWED = /%[0-9a-f]{2}|[^\w\-.~!$&'()*+,;=:@/]/gi;
const UNRESERVED = /[\w\-.~]/;

/**
 * Returns the normal form of a path on the site, from any spelling that a browser accepts: parsed as the URL standard parses
 * a path, with `\` as `/`, blanks around it ignored and `.` and `..` resolved, then normalised by RFC 3986 §6.2.2. Octets keep
 * their meaning: `%2F` is not `/`, and an encoded octet need not be UTF-8. There is no trailing slash except in `/` itself.
 *
 * Returns null for a string that is not a path or has a query, a fragment or control characters, and for a path whose
 * normal form has more than 2,048 characters, which an index could not hold.
 */
export function normalPath(path: string): string | null {
  if (path.length > URL_CHARACTERS_MAX) return null;
  const typed = path.replace(/^ +| +$/g, "");
  if (!typed.startsWith("/") || /[?#]/.test(typed) || hasControl(typed)) return null;
  const { pathname } = new URL(`http://site${typed}`);
  const normal = pathname.replace(ENCODED_OR_NOT_ALLOWED, normalOctet).replace(/\/+$/, "") || "/";
  return normal.length > URL_CHARACTERS_MAX ? null : normal;
}

function normalOctet(text: string): string {
  if (text.length === 1) return encodeURIComponent(text);
  const character = String.fromCharCode(Number.parseInt(text.slice(1), 16));
  return UNRESERVED.test(character) ? character : text.toUpperCase();
}

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

// Whitespace is not valid in a URL; in a Location header, a line break would allow header injection.
function hasWhitespaceOrControl(text: string): boolean {
  return /\s/.test(text) || hasControl(text);
}

// The URL standard drops tabs and line breaks and encodes other control characters. Nobody types one, so it is a mistake.
function hasControl(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the function looks for them.
  return /[\u0000-\u001f\u007f]/.test(text);
}
