// Reads the header Retry-After, which has seconds, or an HTTP date in any of its three forms (RFC 9110, 5.6.7). Pure.

const SECONDS = /^\d+$/;
// `Sun, 06 Nov 1994 08:49:37 GMT`, or the form of RFC 850: `Sunday, 06-Nov-94 08:49:37 GMT`.
const DATE = /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -](?:\d{4}|\d{2}) \d{2}:\d{2}:\d{2} GMT$/;
// `Sun Nov  6 08:49:37 1994`, which is in GMT without saying so.
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/**
 * Returns how long the receiver asks to wait, in ms, or null if it does not, or names a time in the past. If there are several
 * headers, the longest time counts.
 */
export function retryAfterMs(header: string | string[] | undefined, now = Date.now()): number | null {
  const times = [header ?? []].flat().map((text) => msOf(text.trim(), now));
  const longest = Math.max(...times.filter((ms) => ms > 0));
  return longest > 0 ? longest : null;
}

/** Returns NaN for any other text. The date parser alone would accept almost any text with a number in it. */
function msOf(text: string, now: number): number {
  if (SECONDS.test(text)) return Number(text) * 1_000;
  if (DATE.test(text)) return Date.parse(text) - now;
  if (ASCTIME_DATE.test(text)) return Date.parse(`${text} GMT`) - now;
  return Number.NaN;
}
