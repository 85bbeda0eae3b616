// Converts between the times of form fields, in the browser's zone, and the times of addresses, in UTC. Pure.

/** Converts the time of a field or an address to UTC: `2026-11-23T13:05:00.000Z`; undefined if it is not a time. */
export function instantOf(text: string): string | undefined {
  const time = new Date(text);
  const isKnown = !Number.isNaN(time.getTime()) && time.getFullYear() >= 1970 && time.getFullYear() <= 9999;
  return isKnown && /^\d{4}-\d\d-\d\d/.test(text) ? time.toISOString() : undefined;
}

/** The value of a `datetime-local` field: `2026-11-23T14:05`. */
export function fieldOf(iso: string): string {
  const time = new Date(iso);
  const two = (value: number) => String(value).padStart(2, "0");
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date}T${two(time.getHours())}:${two(time.getMinutes())}`;
}
