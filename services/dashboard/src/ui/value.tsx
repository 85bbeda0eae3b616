// Values as people read them: times, amounts and badges.
import { type ReactNode, useEffect, useReducer } from "react";
import { money } from "../format/money.ts";
import { absoluteTime, countdown, exactTime, relativeTime } from "../format/time.ts";
import "./badge.css";
import "./amount.css";

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

interface BadgeProps {
  /** The text has the same meaning, because colour must not be the only sign. */
  readonly tone: "info" | "good" | "warning" | "danger" | "quiet";
  readonly text?: string;
  /** For more than text. */
  readonly children?: ReactNode;
}

export function Badge({ tone, text, children }: BadgeProps) {
  return (
    <span className={`badge badge-${tone}`}>
      {text}
      {children}
    </span>
  );
}

export function Amount({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  const text = money(amount, currency);
  const number = text.replace(currency, "").trim();
  return (
    <span className="amount">
      <small>{currency}</small> <span className="number">{number}</span>
    </span>
  );
}
