// A page that is reloaded during a refresh does not see the response. The browser stores the new cookie soon after, but until then
// it would send the old one, which ends the session. So the time of each refresh is stored until it has a response, and the next
// page waits until the cookie has arrived. Only the time is stored.

const NAME = "tradepost-refresh-sent";

// Most refreshes take a tenth of this. A refresh that is slower and is interrupted does end the session.
const SETTLED_MS = 2_000;

/** Resolves when no refresh of a closed page can still be in progress. */
export async function refreshSettled(): Promise<void> {
  const wait = msUntilSettled(stored(), Date.now());
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
}

export function refreshSent(): void {
  withStorage((storage) => storage.setItem(NAME, String(Date.now())));
}

export function refreshOver(): void {
  withStorage((storage) => storage.removeItem(NAME));
}

/** Returns how long to wait for a refresh that was sent at `sentAt`. Pure. */
export function msUntilSettled(sentAt: string | null, now: number): number {
  const age = now - Number(sentAt ?? Number.NaN);
  // If the time is in the future, the clock was changed.
  return age >= 0 && age < SETTLED_MS ? SETTLED_MS - age : 0;
}

function stored(): string | null {
  let sentAt: string | null = null;
  withStorage((storage) => {
    sentAt = storage.getItem(NAME);
  });
  return sentAt;
}

/** Ignores that a browser may forbid storage, which throws. */
function withStorage(use: (storage: Storage) => void): void {
  try {
    use(localStorage);
  } catch {
    // Without storage, a page that is reloaded too soon is signed out.
  }
}
