// Lists how the counts of a run break the guarantees. Pure.
import type { CheckedHistories } from "./history/histories.ts";
import type { Counts } from "./reconcile.ts";

// The statuses after which a client repeats its request. 0 is no response, for example from a killed process.
const RETRYABLE_STATUSES = new Set(["0", "502", "503", "504"]);

/** Returns no violation when all guarantees hold. A run without `histories` has no clients that record them. */
export function violationsOf(
  { mayFailRequests }: { mayFailRequests?: true },
  counts: Counts & { readonly histories?: CheckedHistories },
): string[] {
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
    ...(counts.attempted === 0 ? ["no operation attempted"] : []),
    ...(counts.histories === undefined ? [] : uncheckedIn(counts.histories)),
  ];
}

function uncheckedIn({ checked, operations, timelines }: CheckedHistories): string[] {
  return [
    ...Object.entries(checked).flatMap(([kind, count]) =>
      count === 0 ? [`no history of kind ${kind} checked`] : [],
    ),
    ...(operations === 0 ? ["no operation recorded"] : []),
    ...(timelines === 0 ? ["no timeline compared"] : []),
  ];
}
