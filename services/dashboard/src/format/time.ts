// Times as people read them. Pure.

const STEPS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** `3 minutes ago`, `in 2 days`; within a minute `just now`. */
export function relativeTime(iso: string, now: number): string {
  const seconds = (Date.parse(iso) - now) / 1_000;
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length);
  if (step === undefined) return seconds > 0 ? "in less than a minute" : "just now";
  const [unit, length] = step;
  return RELATIVE.format(Math.trunc(seconds / length), unit);
}

/** `23 Nov 2026, 14:05`, in the given zone or the browser's. */
export function absoluteTime(iso: string, timeZone?: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    ...(timeZone !== undefined && { timeZone }),
  }).format(new Date(iso));
}

/** `4:05`, `1:02:09`: what is left until then, never below zero. */
export function countdown(until: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000));
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor((seconds % 3_600) / 60);
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
