// How tenants take turns: one tenant's backlog delays another by at most one turn per slot.
import { createLogger } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { startRoundRobin } from "./round-robin.ts";

const WAITS = { minMs: 5, maxMs: 5 };

/** Gives each tenant that many batches of work. A batch lasts until the test ends it or the round robin stops. */
function startWork(work: Record<string, number>, slots: number) {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const roundRobin = startRoundRobin({
    ...{ name: "test", slots, waits: WAITS, logger: createLogger("test", "silent") },
    findTenants: async () => Object.keys(work).filter((tenant) => (work[tenant] ?? 0) > 0),
    processNext: async (tenant, stopping) => {
      if ((work[tenant] ?? 0) === 0) return false;
      work[tenant] = (work[tenant] ?? 0) - 1;
      started.push(tenant);
      await new Promise<void>((resolve) => {
        ends.push(resolve);
        stopping.addEventListener("abort", () => resolve());
      });
      return true;
    },
  });
  return { started, roundRobin, endOne: () => ends.shift()?.() };
}

describe("the round robin", () => {
  test("serves tenants in turns, however much work one of them has", async () => {
    const work = { large: 100, small: 1, other: 2 };
    const { started, roundRobin, endOne } = startWork(work, 1);
    for (let count = 1; count <= 6; count += 1) {
      await until(`turn ${count}`, () => started.length === count);
      endOne();
    }
    expect(started.slice(0, 6)).toEqual(["large", "small", "other", "large", "other", "large"]);
    await roundRobin.stop();
  });

  test("gives a tenant one slot at a time and leaves the others free", async () => {
    const work: Record<string, number> = { large: 100 };
    const { started, roundRobin } = startWork(work, 2);
    await until("the first turn", () => started.length === 1);
    work.late = 1;
    await until("the late tenant's turn", () => started.length === 2);
    expect(started).toEqual(["large", "late"]);
    await roundRobin.stop();
    expect(started).toHaveLength(2);
  });

  test("repeats a turn that failed", async () => {
    let failures = 0;
    const roundRobin = startRoundRobin({
      ...{ name: "test", slots: 1, waits: WAITS, logger: createLogger("test", "silent") },
      findTenants: async () => ["failing"],
      processNext: async () => {
        failures += 1;
        throw new Error("not now");
      },
    });
    await until("several attempts", () => failures > 2);
    await roundRobin.stop();
  });
});
