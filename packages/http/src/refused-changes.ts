// Learns from requests that the database refuses changes, although it serves reads: its disk is full, or a write fails (interface §9). Logs
// the first refusal and a summary.
import type { Logger, Metrics } from "@tradepost/runtime";

const REASONS = ["database_full", "database_io_error"] as const;
type Reason = (typeof REASONS)[number];

const REFUSED_MIN = 3;
// After this time /readyz relies on its own check, so that requests arrive and try again.
const BELIEVED_FOR_MS = 60_000;
const LOG_EVERY_MS = 60_000;

export type RefusedChanges = ReturnType<typeof refusedChanges>;

export function refusedChanges(metrics: Metrics, logger: Logger) {
  let refused: { reason: Reason; count: number; lastAt: number } | undefined;
  let loggedAt = Number.NEGATIVE_INFINITY;
  let failedPing: Reason | undefined;

  function refusing(): Reason | undefined {
    const isBelieved = refused !== undefined && performance.now() - refused.lastAt < BELIEVED_FOR_MS;
    return failedPing ?? (isBelieved && refused && refused.count >= REFUSED_MIN ? refused.reason : undefined);
  }

  function accepts(): void {
    if (refused === undefined && failedPing === undefined) return;
    logger.info({ refused: refused?.count ?? 0 }, "the database accepts changes again");
    refused = failedPing = undefined;
    loggedAt = Number.NEGATIVE_INFINITY;
  }

  function log(reason: Reason, error: unknown): void {
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    logger.error({ err: error, reason, refused: refused?.count ?? 0 }, "the database refuses changes");
  }

  metrics.gauge(
    "database_refuses_changes",
    "1 while the database refuses changes for the reason, although it may answer reads: its disk is full, or a write fails.",
    ["reason"],
    (gauge) => {
      for (const reason of REASONS) gauge.set({ reason }, refusing() === reason ? 1 : 0);
    },
  );
  return {
    /** Notes the error of a change. Returns false if it is another error, which the caller logs. */
    note: (error: unknown) => {
      const reason = reasonOf(error);
      if (reason === undefined) return false;
      refused = { reason, count: (refused?.count ?? 0) + 1, lastAt: performance.now() };
      log(reason, error);
      return true;
    },
    noteSuccess: accepts,
    /** Rejects as `ping` does, and while changes are refused, with the reason as `missing`. */
    check: async (ping: () => Promise<void>) => {
      try {
        await ping();
      } catch (error) {
        failedPing = reasonOf(error);
        if (failedPing !== undefined) log(failedPing, error);
        throw error;
      }
      if (failedPing !== undefined) accepts();
      const missing = refusing();
      if (missing !== undefined) throw Object.assign(new Error("the database refuses changes"), { missing });
    },
  };
}

function reasonOf(error: unknown): Reason | undefined {
  const { missing } = error as { missing?: unknown };
  return REASONS.find((reason) => reason === missing);
}
