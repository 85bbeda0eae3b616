// A page that is loaded again in the middle of a refresh does not see its end: the browser takes the new cookie soon after, and
// until then it would send the old one, which ends the session. So each refresh leaves its time until it has a response, and
// the next page waits until the cookie has come. Only the time is stored.

const NAME = "tradepost-refresh-sent";

// Most refreshes take a tenth of this. One that is slower than this, and is cut off, does end the session.
const SETTLED_MS = 2_000;

/** Resolves when no refresh of a page that is gone can be in flight. */
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

/** How long to wait for a refresh that was sent then. Pure. */
export function msUntilSettled(sentAt: string | null, now: number): number {
  const age = now - Number(sentAt ?? Number.NaN);
  // A time in the future is of a clock that was changed.
  return age >= 0 && age < SETTLED_MS ? SETTLED_MS - age : 0;
}

function stored(): string | null {
  let sentAt: string | null = null;
  withStorage((storage) => {
    sentAt = storage.getItem(NAME);
  });
  return sentAt;
}

/** A browser may forbid storage, which throws. */
function withStorage(use: (storage: Storage) => void): void {
  try {
    use(localStorage);
  } catch {
    // Then a page that is loaded again too soon is signed out, as it would be anyway.
  }
}
