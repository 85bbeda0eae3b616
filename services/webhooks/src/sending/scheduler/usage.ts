// Counts attempts in flight and reserved ones per lane and per tenant (`lanes.ts`).
import type { EndpointRecord, TenantRecord } from "./endpoint-record.ts";
import { freeOf, type Lane, lanesOf, mayStart } from "./lanes.ts";
import type { Rings } from "./turns.ts";

export function createUsage(slots: number, rings: Rings<EndpointRecord>) {
  const lanes = lanesOf(slots);
  const usage = { proven: 0, other: 0, down: 0, aged: 0 };

  function count(record: EndpointRecord, lane: Lane | "aged", change: 1 | -1): void {
    record.inFlight += change;
    if (lane === "down") usage.other += change;
    usage[lane] += change;
    if (lane === "proven" || lane === "aged") rings.proven.hold(record.tenant.queues.proven, change);
    if (lane !== "proven") holdOther(record.tenant, change);
  }

  function holdOther({ queues }: TenantRecord, change: 1 | -1): void {
    rings.other.hold(queues.other, change);
    rings.down.hold(queues.down, change);
  }

  return {
    take: (record: EndpointRecord, lane: Lane) => count(record, lane, 1),
    release: (record: EndpointRecord, lane: Lane | "aged") => count(record, lane, -1),
    age: ({ tenant }: EndpointRecord) => {
      usage.proven -= 1;
      usage.aged += 1;
      holdOther(tenant, 1);
    },
    mayStart: (lane: Lane, held: number) => mayStart(lane, held, usage, lanes),
    get freeProven() {
      return Math.max(0, freeOf("proven", usage, lanes));
    },
    get inFlight() {
      return usage.proven + usage.other + usage.aged;
    },
  };
}

export type UsageCounter = ReturnType<typeof createUsage>;
