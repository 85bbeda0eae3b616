// A time as people read it, with the exact one on hover. It keeps up while it is on the screen.
import { useEffect, useState } from "react";
import { absoluteTime, countdown, relativeTime } from "../format/time.ts";

const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

export function Time({ at }: { readonly at: string }) {
  const now = useNow(MINUTE_MS);
  return (
    <time dateTime={at} title={absoluteTime(at)}>
      {relativeTime(at, now)}
    </time>
  );
}

/** What is left until then: `0:42`. */
export function Countdown({ until }: { readonly until: number }) {
  const now = useNow(SECOND_MS);
  return <span className="number">{countdown(until, now)}</span>;
}

function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
