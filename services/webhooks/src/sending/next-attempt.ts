// Decides when the next attempt is. Returns intervals, which Postgres adds to its clock. Pure.
//
// **The schedule.** After failed attempt n, a delivery waits for step n of WEBHOOKS_RETRY_SCHEDULE and its jitter: a random time up to
// a tenth of the step, at most a second, so that deliveries that failed together are not retried together. By default:
//
//   failed attempt                      the next one is due after
//   1                                   60 s to 61 s
//   2 to 6                              5 m, 15 m, 30 m, 1 h, 2 h, and up to 1 s
//   7                                   4 h to 4 h 1 s
//   8                                   never: the delivery has failed
//
// **Holds.** A held endpoint gets no attempt. The failed delivery is due once its wait and the hold are over.
//
//   response                            the endpoint is held for
//   503, Retry-After: 120               120 s after the attempt
//   429, a date in ten minutes          10 m
//   429, Retry-After: 7201              2 h, the longest
//   503, Retry-After: soon              no time, as for a date in the past
//   500, Retry-After: 120               no time
//   any failure while it is down        1 m; when it has been down for a day, 15 m
//
// **Limits** (interface §17). An endpoint rests if it may start fewer attempts than it has slots for:
//
//   endpoint                            starts of 5   rests for
//   held for another 90 s               0             90 s
//   down, an attempt in flight          0             1 s, or until an attempt ends
//   maxInFlight 3, 1 in flight          2             1 s, or until an attempt ends
//   maxPerSecond 10, idle               2             100 ms
//   maxPerSecond 10, 150 ms ahead       0             50 ms
//   maxPerSecond 1, idle                1             1 s
import type { AttemptTransition, claims } from "../delivery/delivery.ts";
import type { Outcome } from "../delivery-status.ts";
import type { Wait } from "../topology.ts";
import type { Rest } from "./scheduler/scheduler.ts";

const JITTER_SHARE_MAX = 0.1;
const JITTER_MS_MAX = 1_000;

export function transitionAfter(
  attempt: number,
  outcome: Outcome,
  schedule: readonly Wait[],
  random: () => number = Math.random,
): AttemptTransition {
  if (outcome === "delivered") return { name: "attempt succeeded" };
  const wait = schedule[attempt - 1];
  if (wait === undefined) return { name: "last attempt failed" };
  const jitterMs = random() * Math.min(wait.ms * JITTER_SHARE_MAX, JITTER_MS_MAX);
  return { name: "attempt failed", wait, delayMs: wait.ms + jitterMs };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const HOLD_MS_MAX = 2 * HOUR_MS;

/** Returns how long a response asks to hold its endpoint, or null. Of several headers the longest time counts. */
export function holdMsOf(
  statusCode: number,
  retryAfter: string | string[] | undefined,
  now = Date.now(),
): number | null {
  if (statusCode !== 429 && statusCode !== 503) return null;
  const times = [retryAfter ?? []].flat().map((text) => msOf(text.trim(), now));
  const longest = Math.max(...times.filter((ms) => ms > 0));
  return longest > 0 ? Math.min(longest, HOLD_MS_MAX) : null;
}

// The header Retry-After has seconds, or an HTTP date in any of its three forms (RFC 9110, 5.6.7).
const SECONDS = /^\d+$/;
// `Sun, 06 Nov 1994 08:49:37 GMT`, or the form of RFC 850: `Sunday, 06-Nov-94 08:49:37 GMT`.
const DATE = /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -](?:\d{4}|\d{2}) \d{2}:\d{2}:\d{2} GMT$/;
// `Sun Nov  6 08:49:37 1994`, which is in GMT without saying so.
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** NaN for any other text; the date parser would accept almost any text with a number in it. */
function msOf(text: string, now: number): number {
  if (SECONDS.test(text)) return Number(text) * 1_000;
  if (DATE.test(text)) return Date.parse(text) - now;
  if (ASCTIME_DATE.test(text)) return Date.parse(`${text} GMT`) - now;
  return Number.NaN;
}

export const PATIENCE = {
  downAfterMs: HOUR_MS,
  tryEveryMs: MINUTE_MS,
  seldomAfterMs: 24 * HOUR_MS,
  trySeldomEveryMs: 15 * MINUTE_MS,
};
export type Patience = Readonly<typeof PATIENCE>;

/** Returns null without a hold. A new hold never shortens the hold `before`. */
export function heldUntilAfter(
  before: Date | null,
  failed: { readonly endedAt: Date; readonly holdMs: number | null; readonly downSince: Date | null },
  { tryEveryMs, seldomAfterMs, trySeldomEveryMs }: Patience,
): Date | null {
  const { endedAt, holdMs, downSince } = failed;
  const isSeldom = downSince !== null && endedAt.getTime() - downSince.getTime() >= seldomAfterMs;
  const pauseMs = downSince === null ? null : isSeldom ? trySeldomEveryMs : tryEveryMs;
  const holds = [holdMs, pauseMs].flatMap((ms) => (ms === null ? [] : [endedAt.getTime() + ms]));
  if (before !== null) holds.push(before.getTime());
  return holds.length === 0 ? null : new Date(Math.max(...holds));
}

export interface Room {
  readonly allowed: number;
  readonly rest: Rest | null;
}

// At most the attempts of a fifth of a second start at once: otherwise, after a delay, the attempts of two seconds could start in one.
const BURST_MS = 200;
const ROUNDING = 0.001;
// Short, because this process does not notice the end of other processes' attempts.
const IN_FLIGHT_REST: Rest = { because: "in flight", ms: 1_000 };

export function roomOf(restraint: claims.Restraint, wanted: number): Room {
  const { heldMs, inFlight, inFlightMax, perSecondMax, owedMs } = restraint;
  if (heldMs !== null) return { allowed: 0, rest: { because: "held", ms: heldMs } };
  const free = inFlightMax === null ? wanted : Math.min(wanted, inFlightMax - inFlight);
  if (perSecondMax !== null) {
    const intervalMs = 1_000 / perSecondMax;
    const burstMs = Math.max(intervalMs, BURST_MS);
    const paced = Math.floor((burstMs - owedMs) / intervalMs + ROUNDING);
    if (paced < free) {
      const allowed = Math.max(0, paced);
      const ms = Math.max(1, owedMs + (allowed + 1) * intervalMs - burstMs);
      return { allowed, rest: { because: "pace", ms } };
    }
  }
  return { allowed: Math.max(0, free), rest: free < wanted ? IN_FLIGHT_REST : null };
}

/** While another process keeps the endpoint's row locked. */
export const NO_ROOM_WHILE_LOCKED: Room = { allowed: 0, rest: { because: "pace", ms: 1_000 } };
