// A time as people read it, with the exact one on hover. It is updated while it is on the screen.
import { useSyncExternalStore } from "react";
import { absoluteTime, countdown, exactTime, relativeTime } from "../format/time.ts";

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

export function Time({ at }: { readonly at: string }) {
  const now = useNow(everyMinute);
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
  const now = useNow(everySecond);
  return <span className="number">{countdown(until, now)}</span>;
}

/** Shows `in 0:42`, and `now` once the time has come. */
export function Until({ at }: { readonly at: string }) {
  const now = useNow(everySecond);
  const until = Date.parse(at);
  return <span className="number">{now < until ? `in ${countdown(until, now)}` : "now"}</span>;
}

interface Ticker {
  readonly subscribe: (listener: () => void) => () => void;
  readonly count: () => number;
}

const everyMinute = tickerOf(MINUTE_MS);
const everySecond = tickerOf(SECOND_MS);

/**
 * Returns the time of this render, and renders again with each tick. A time stored at the last tick would be earlier than times
 * in newer data.
 */
function useNow({ subscribe, count }: Ticker): number {
  useSyncExternalStore(subscribe, count);
  return Date.now();
}

/** One timer for all times on the screen. */
function tickerOf(everyMs: number): Ticker {
  const listeners = new Set<() => void>();
  let ticks = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = () => {
    ticks += 1;
    for (const listener of listeners) listener();
  };
  return {
    subscribe: (listener) => {
      if (listeners.size === 0) timer = setInterval(tick, everyMs);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) clearInterval(timer);
      };
    },
    count: () => ticks,
  };
}
