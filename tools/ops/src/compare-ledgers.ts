// Compares what was committed with what became of it: the books of `ops verify`. Pure.
import type { Commits } from "@tradepost/messaging";
import type { DeliveryTotals, Stuck } from "@tradepost/webhooks/operate";

/** How many ids a fault names at most, of each tenant. */
export const FAULT_IDS_MAX = 20;
const ID_BYTES = 16;

/** What was read, in this order: what a producer had published was on the queue or known when that was looked at. */
export interface Books {
  readonly producers: readonly { readonly isReplaying: boolean; readonly tenants: readonly Commits[] }[];
  /** How many messages were in webhooks.events, in a consumer's hand or not. */
  readonly queued: number;
  readonly webhooks: readonly DeliveryTotals[];
  readonly stuck: readonly Stuck[];
}

export interface TenantBalance {
  readonly tenantId: string;
  readonly committed: number;
  readonly outbox: number;
  /** Published, and not known to the webhooks service (yet). */
  readonly unconsumed: number;
  /** Deliveries that there should be; their sum over what they came to, where all is well. */
  readonly matched: number;
  readonly delivered: number;
  readonly failed: number;
  readonly paused: number;
  readonly cancelled: number;
  readonly inFlight: number;
  /** Events that are lost, that no broker takes, or that have not as many deliveries as they matched. */
  readonly unaccounted: number;
}

export interface Fault {
  readonly kind: "event_lost" | "event_parked" | "deliveries_differ" | Stuck["kind"];
  readonly tenantId: string;
  readonly count: number;
  /** Events' ids, or deliveries'. */
  readonly ids: readonly string[];
}

/** Out: a balance for each tenant that has anything, by id; and what does not add up, which is nothing on a sound system. */
export function compareLedgers(books: Books): { tenants: TenantBalance[]; faults: Fault[] } {
  const commits = Map.groupBy(
    books.producers.flatMap(({ isReplaying, tenants }) =>
      tenants.map((tenant) => ({ ...tenant, isReplaying })),
    ),
    ({ tenantId }) => tenantId,
  );
  const known = new Map(books.webhooks.map((ledger) => [ledger.tenantId, ledger]));
  const tenantIds = [...new Set([...commits.keys(), ...known.keys()])].sort();
  const compared = tenantIds.map((tenantId) =>
    compareTenant(tenantId, commits.get(tenantId) ?? [], known.get(tenantId), books.queued === 0),
  );
  return {
    tenants: compared.map(({ balance }) => balance),
    faults: [...compared.flatMap(({ faults }) => faults), ...books.stuck],
  };
}

function compareTenant(
  tenantId: string,
  commits: readonly (Commits & { isReplaying: boolean })[],
  ledger: DeliveryTotals | undefined,
  isQueueEmpty: boolean,
): { balance: TenantBalance; faults: Fault[] } {
  const known = ledger?.known ?? Buffer.alloc(0);
  const missing = commits.map((of) => ({ ...of, ids: missingIds(of.published, known) }));
  const onTheWay = sum(commits, ({ justPublished }) => missingIds(justPublished, known).length);
  // What the broker may still bring is not lost.
  const lost = isQueueEmpty ? missing.flatMap(({ isReplaying, ids }) => (isReplaying ? [] : ids)) : [];
  const parkedCount = sum(commits, (of) => of.parkedCount);
  const mismatchedCount = ledger?.mismatchedCount ?? 0;
  const faults: Fault[] = [
    { kind: "event_lost", tenantId, count: lost.length, ids: lost },
    { kind: "event_parked", tenantId, count: parkedCount, ids: commits.flatMap(({ parked }) => parked) },
    { kind: "deliveries_differ", tenantId, count: mismatchedCount, ids: ledger?.mismatched ?? [] },
  ];
  return {
    balance: {
      tenantId,
      committed: sum(commits, ({ committed }) => committed),
      outbox: sum(commits, ({ outbox }) => outbox),
      unconsumed: onTheWay + sum(missing, ({ ids }) => ids.length),
      matched: ledger?.matched ?? 0,
      delivered: ledger?.delivered ?? 0,
      failed: ledger?.failed ?? 0,
      paused: ledger?.paused ?? 0,
      cancelled: ledger?.cancelled ?? 0,
      inFlight: ledger?.inFlight ?? 0,
      unaccounted: lost.length + parkedCount + mismatchedCount,
    },
    faults: faults
      .filter(({ count }) => count > 0)
      .map((fault) => ({ ...fault, ids: fault.ids.slice(0, FAULT_IDS_MAX) })),
  };
}

/** In: two lists of ids in ascending order. Out: those of the first that are not in the second. */
function missingIds(wanted: Buffer, known: Buffer): string[] {
  const missing: string[] = [];
  let at = 0;
  for (let start = 0; start < wanted.length; start += ID_BYTES) {
    const end = start + ID_BYTES;
    while (at < known.length && known.compare(wanted, start, end, at, at + ID_BYTES) < 0) at += ID_BYTES;
    const isKnown = at < known.length && known.compare(wanted, start, end, at, at + ID_BYTES) === 0;
    if (!isKnown) missing.push(textOf(wanted.subarray(start, end)));
  }
  return missing;
}

function textOf(id: Buffer): string {
  return id.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function sum<Row>(rows: readonly Row[], count: (row: Row) => number): number {
  return rows.reduce((total, row) => total + count(row), 0);
}
