// Names and counts as people read them. Pure.

/** `expiresAt` and `expires_at` become `Expires at`. */
export function wordsOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `3`; `100+` if not all were read. */
export function countText(count: number, hasMore: boolean): string {
  return hasMore ? `${count}+` : String(count);
}

/** The bell for screen readers: `Notices: 3 open`. */
export function bellText(count: number, hasMore: boolean): string {
  return count === 0 ? "Notices" : `Notices: ${hasMore ? `${count} or more` : count} open`;
}
