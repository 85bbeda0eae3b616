// Compares the events that producers committed with their deliveries: the decision of `ops verify`. Pure.
import type { Commits } from "@tradepost/messaging";
import type { DeliveryTotals, Stuck } from "@tradepost/webhooks/operate";

export const FAULT_IDS_MAX = 20;
const ID_BYTES = 16;

/** The fields are read in this order, so that an event which a producer had published is already queued or known. */
export interface AccountingInput {
  readonly producers: readonly { readonly isReplaying: boolean; readonly tenants: readonly Commits[] }[];
  /** The number of messages in webhooks.events, unacknowledged ones included. */
  readonly queued: number;
  readonly webhooks: readonly DeliveryTotals[];
  readonly stuck: readonly Stuck[];
}

export interface Fault {
  readonly kind:
    | "event_lost"
    | "event_parked"
    | "deliveries_differ"
    | "restore_unrecorded"
    | "event_unknown"
    | "subscription_missing"
    | "subscription_undeleted"
    | "tenant_missing"
    | "tenant_undeleted"
    | "erased_returned"
    | Stuck["kind"];
  /** Null if the fault concerns the whole platform. */
  readonly tenantId: string | null;
  readonly count: number;
  /** Ids of events, deliveries, subscriptions or customers, or the names of services, depending on the kind. */
  readonly ids: readonly string[];
}

/** For each tenant that has events, ordered by tenant id. */
export function accountForEvents(input: AccountingInput) {
  const commits = Map.groupBy(
    input.producers.flatMap(({ isReplaying, tenants }) =>
      tenants.map((tenant) => ({ ...tenant, isReplaying })),
    ),
    ({ tenantId }) => tenantId,
  );
  const known = new Map(input.webhooks.map((totals) => [totals.tenantId, totals]));
  const tenantIds = [...new Set([...commits.keys(), ...known.keys()])].sort();
  const compared = tenantIds.map((tenantId) =>
    compareTenant(tenantId, commits.get(tenantId) ?? [], known.get(tenantId), input.queued === 0),
  );
  const faults: Fault[] = [...compared.flatMap((one) => one.faults), ...input.stuck];
  return { tenants: compared.map(({ balance }) => balance), faults };
}

function compareTenant(
  tenantId: string,
  commits: readonly (Commits & { isReplaying: boolean })[],
  totals: DeliveryTotals | undefined,
  isQueueEmpty: boolean,
) {
  const known = totals?.known ?? Buffer.alloc(0);
  const missing = commits.map((commit) => ({ ...commit, ids: textsOf(missingIds(commit.published, known)) }));
  const recent = sum(commits, ({ justPublished }) => missingIds(justPublished, known).length / ID_BYTES);
  // A message in the queue may still be consumed, so nothing counts as lost before the queue is empty.
  const lost = isQueueEmpty ? missing.flatMap(({ isReplaying, ids }) => (isReplaying ? [] : ids)) : [];
  const parkedCount = sum(commits, ({ parkedCount }) => parkedCount);
  const mismatchedCount = totals?.mismatchedCount ?? 0;
  const faults: Fault[] = [
    { kind: "event_lost", tenantId, count: lost.length, ids: lost },
    { kind: "event_parked", tenantId, count: parkedCount, ids: commits.flatMap(({ parked }) => parked) },
    { kind: "deliveries_differ", tenantId, count: mismatchedCount, ids: totals?.mismatched ?? [] },
  ];
  return {
    balance: {
      tenantId,
      committed: sum(commits, ({ committed }) => committed),
      outbox: sum(commits, ({ outbox }) => outbox),
      // Events that are published, but not yet known to the webhooks service.
      unconsumed: recent + sum(missing, ({ ids }) => ids.length),
      // If nothing is wrong, the sum of the five counts below.
      matched: totals?.matched ?? 0,
      delivered: totals?.delivered ?? 0,
      failed: totals?.failed ?? 0,
      paused: totals?.paused ?? 0,
      cancelled: totals?.cancelled ?? 0,
      inFlight: totals?.inFlight ?? 0,
      unaccounted: lost.length + parkedCount + mismatchedCount,
    },
    faults: faults
      .filter(({ count }) => count > 0)
      .map((fault) => ({ ...fault, ids: fault.ids.slice(0, FAULT_IDS_MAX) })),
  };
}

/** Returns the ids in `wanted` that are not in `known`; all are in ascending order. */
export function missingIds(wanted: Buffer, known: Buffer): Buffer {
  const missing: Buffer[] = [];
  let at = 0;
  for (let start = 0; start < wanted.length; start += ID_BYTES) {
    const end = start + ID_BYTES;
    while (at < known.length && known.compare(wanted, start, end, at, at + ID_BYTES) < 0) at += ID_BYTES;
    const isKnown = at < known.length && known.compare(wanted, start, end, at, at + ID_BYTES) === 0;
    if (!isKnown) missing.push(wanted.subarray(start, end));
  }
  return Buffer.concat(missing);
}

export function textsOf(ids: Buffer): string[] {
  return Array.from({ length: ids.length / ID_BYTES }, (_, index) =>
    textOf(ids.subarray(index * ID_BYTES, (index + 1) * ID_BYTES)),
  );
}

function textOf(id: Buffer): string {
  return id.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function sum<Row>(rows: readonly Row[], count: (row: Row) => number): number {
  return rows.reduce((total, row) => total + count(row), 0);
}
