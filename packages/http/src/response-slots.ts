// Limits the responses in progress of a service, for each tenant and in total, so that tenants take turns (interface §1 and §3).
//
// A response that is built in memory takes a slot before its data is read, and holds it until it has been written: its bytes
// stay in this process while a slow client reads. A slot stands for the size of the largest page, so the number of slots bounds
// the bytes. A small response frees its slot at once.
//
// A heavy response (a page of a list, figures, a search, a page of an export) takes the process's only thread, and a connection
// to the database, for tens of milliseconds. So a tenant has fewer of these slots, and works on one at a time.
import { ApiError } from "./api-error.ts";
import { type AcquireSlot, inFlightLimit } from "./in-flight-limit.ts";

// A page of 2 MiB takes about 10 MiB while it is built: rows, texts, and the bytes to write.
const RESOURCES_OF_TENANT_MAX = 8;
const HEAVY_OF_TENANT_MAX = 2;
// For each kind. Other tenants wait only while 4 tenants (16 for heavy responses) have slow readers.
const IN_PROGRESS_MAX = 32;
// A request that waits for a slot holds little memory.
const WAITING_MAX = 1_024;
const WAITING_OF_TENANT_MAX = 256;
const WAIT_MS_MAX = 5_000;
// Longer than a statement may take (15 s).
const TURN_WAIT_MS_MAX = 20_000;
const RETRY_AFTER_SECONDS = "2";

export type ResponseSlots = ReturnType<typeof responseSlots>;

/** Slots reject with 429 `rate_limited` after 5 s, turns after 20 s. */
export function responseSlots() {
  return { resource: slots(RESOURCES_OF_TENANT_MAX), heavy: slots(HEAVY_OF_TENANT_MAX), takeTurn: turns() };
}

/** A turn lasts while a heavy response is made. Resolves with the function that ends it and returns its ms. */
function turns() {
  const acquire = slots(1, TURN_WAIT_MS_MAX);
  const beginWork = sharedClock();
  return async (...args: Parameters<AcquireSlot>) => {
    const release = await acquire(...args);
    const endWork = beginWork();
    return () => {
      // Other requests that are ready go first.
      setImmediate(release);
      return endWork();
    };
  };
}

function slots(inProgressOfTenantMax: number, waitMsMax = WAIT_MS_MAX): AcquireSlot {
  return inFlightLimit(
    {
      inProgressMax: IN_PROGRESS_MAX,
      inProgressOfTenantMax,
      waitingMax: WAITING_MAX,
      waitingOfTenantMax: WAITING_OF_TENANT_MAX,
      waitMsMax,
    },
    (exhausted) =>
      new ApiError(
        "rate_limited",
        exhausted === "tenant"
          ? "This tenant has too many responses in progress."
          : "The service has too many responses in progress; try again.",
        { headers: { "retry-after": RETRY_AFTER_SECONDS } },
      ),
  );
}

/**
 * Measures work that takes turns: while n pieces are in progress, each gets an n-th of the time. Beginning returns the function that
 * ends the measurement and returns its time in ms.
 */
export function sharedClock(now: () => number = () => performance.now()) {
  let inProgressCount = 0;
  /** The measured time of work that is in progress all the time. */
  let measuredMs = 0;
  let since = now();
  const advance = (change: 1 | -1) => {
    const at = now();
    if (inProgressCount > 0) measuredMs += (at - since) / inProgressCount;
    since = at;
    inProgressCount += change;
  };
  return () => {
    advance(1);
    const begunAt = measuredMs;
    return () => {
      advance(-1);
      return measuredMs - begunAt;
    };
  };
}
