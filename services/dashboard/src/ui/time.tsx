// A time as people read it, with the exact one on hover. It is updated while it is on the screen.
import { useEffect, useReducer } from "react";
import { absoluteTime, countdown, exactTime, relativeTime } from "../format/time.ts";

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/** Null is `Never`. */
export function Time({ at }: { readonly at: string | null }) {
  const now = useNow(MINUTE_MS);
  if (at === null) return <span className="soft">Never</span>;
  return (
    <time className="time-ago" dateTime={at} title={absoluteTime(at)}>
      {relativeTime(at, now)}
    </time>
  );
}

/** Shows seconds, to be compared with the logs of other systems. */
export function ExactTime({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={relativeTime(at, Date.now())}>
      {exactTime(at)}
    </time>
  );
}

/** Shows the time left: `0:42`. */
export function Countdown({ until }: { readonly until: number }) {
  const now = useNow(SECOND_MS);
  return <span className="number">{countdown(until, now)}</span>;
}

/** Shows `in 0:42`, and `now` once the time has come. */
export function Until({ at }: { readonly at: string }) {
  const now = useNow(SECOND_MS);
  const until = Date.parse(at);
  return <span className="number">{now < until ? `in ${countdown(until, now)}` : "now"}</span>;
}

function useNow(everyMs: number): number {
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  useEffect(() => {
    const timer = setInterval(tick, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return Date.now();
}
