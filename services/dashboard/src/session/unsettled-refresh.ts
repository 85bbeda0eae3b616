// A page that is reloaded during a refresh does not see the response. The browser stores the new cookie soon after, but until then
// it would send the old one, which ends the session. So the time of each refresh is stored until it has a response, and the next
// page waits until the cookie has arrived. Only the time is stored; without storage, a page that is reloaded too soon is signed out.

import { keep, stored } from "./storage.ts";

const NAME = "tradepost-refresh-sent";

// Most refreshes take a tenth of this. A refresh that is slower and is interrupted does end the session.
const SETTLED_MS = 2_000;

/** Resolves when no refresh of a closed page can still be in progress. */
export async function refreshSettled(): Promise<void> {
  const wait = msUntilSettled(stored(NAME) ?? null, Date.now());
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
}

export function refreshSent(): void {
  keep(NAME, String(Date.now()));
}

export function refreshOver(): void {
  keep(NAME, null);
}

/** Returns how long to wait for a refresh that was sent at `sentAt`. Pure. */
export function msUntilSettled(sentAt: string | null, now: number): number {
  const age = now - Number(sentAt ?? Number.NaN);
  // If the time is in the future, the clock was changed.
  return age >= 0 && age < SETTLED_MS ? SETTLED_MS - age : 0;
}
