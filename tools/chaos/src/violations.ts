// Lists how the counts of a run break the guarantees. Pure.
import type { Counts } from "./reconcile.ts";

// The statuses after which a client repeats its request. 0 is no response, for example from a killed process.
const RETRYABLE_STATUSES = new Set(["0", "502", "503", "504"]);

/** Returns no violation when all guarantees hold. */
export function violationsOf({ mayFailRequests }: { mayFailRequests?: true }, counts: Counts): string[] {
  const violation = (count: number, what: string) => (count > 0 ? [`${count} ${what}`] : []);
  const failures = Object.entries(counts.failedRequests).filter(
    ([status]) => !mayFailRequests || !RETRYABLE_STATUSES.has(status),
  );
  return [
    ...violation(counts.lost, "lost"),
    ...violation(counts.attempted - counts.acknowledged, "never acknowledged"),
    ...violation(counts.unexpected, "unexpected"),
    ...violation(counts.outOfOrder, "out of order"),
    ...violation(counts.unexpectedExits, "unexpected process exits"),
    ...failures.map(([status, count]) =>
      status === "0" ? `${count} requests without a response` : `${count} responses with ${status}`,
    ),
    ...(counts.recoverySeconds === null ? ["no recovery seen"] : []),
  ];
}
