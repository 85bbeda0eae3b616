// The number on the bell. Pure.

/** `3`; `100+` if not all were read. */
export function countText(count: number, hasMore: boolean): string {
  return hasMore ? `${count}+` : String(count);
}

/** The bell for screen readers: `Notices: 3 open`. */
export function bellText(count: number, hasMore: boolean): string {
  return count === 0 ? "Notices" : `Notices: ${hasMore ? `${count} or more` : count} open`;
}
