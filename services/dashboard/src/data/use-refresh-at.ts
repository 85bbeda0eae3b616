// Reads data again when a time on the screen has come, and a few times after it, because due work takes a moment.
import { useEffect, useRef } from "react";

const AGAIN_MS = 1_000;
const TRIES_MAX = 5;
// The longest time that a timer of the browser can wait.
const WAIT_MS_MAX = 2_147_483_647;

/** `times` are the times on the screen. The earliest counts, unless it is long past: a listener may never come. */
export function useRefreshAt(times: readonly (string | null)[], refresh: () => unknown): void {
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
  });
  const from = Date.now() - AGAIN_MS * TRIES_MAX;
  const known = times.flatMap((time) => (time === null ? [] : [Date.parse(time)]));
  const earliest = Math.min(...known.filter((time) => time > from));
  useEffect(() => {
    if (!Number.isFinite(earliest)) return;
    let tries = 0;
    let timer: ReturnType<typeof setTimeout>;
    const wait = (ms: number) => {
      timer = setTimeout(read, Math.min(Math.max(ms, 0), WAIT_MS_MAX));
    };
    const read = () => {
      latest.current();
      tries += 1;
      if (tries < TRIES_MAX) wait(AGAIN_MS);
    };
    wait(earliest - Date.now());
    return () => clearTimeout(timer);
  }, [earliest]);
}
