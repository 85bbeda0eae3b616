// Whose turn it is: nobody's backlog delays anybody else by more than a turn for each slot.
import { describe, expect, test } from "@jest/globals";
import { createLogger } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { startTurns } from "./take-turns.ts";

/** Tenants with so many pieces of work each; a piece takes until the test ends it, or the turns stop. */
function startWork(work: Record<string, number>, slots: number) {
  const taken: string[] = [];
  const ends: (() => void)[] = [];
  const turns = startTurns({
    ...{ what: "test", slots, lookEveryMs: 5, logger: createLogger("test", "silent") },
    findTenants: async () => Object.keys(work).filter((tenant) => (work[tenant] ?? 0) > 0),
    takeTurn: async (tenant, stopping) => {
      if ((work[tenant] ?? 0) === 0) return false;
      work[tenant] = (work[tenant] ?? 0) - 1;
      taken.push(tenant);
      await new Promise<void>((resolve) => {
        ends.push(resolve);
        stopping.addEventListener("abort", () => resolve());
      });
      return true;
    },
  });
  return { taken, turns, endOne: () => ends.shift()?.() };
}

describe("tenants", () => {
  test("take turns, however much one of them has", async () => {
    const work = { large: 100, small: 1, other: 2 };
    const { taken, turns, endOne } = startWork(work, 1);
    for (let count = 1; count <= 6; count += 1) {
      await until(`turn ${count}`, () => taken.length === count);
      endOne();
    }
    expect(taken.slice(0, 6)).toEqual(["large", "small", "other", "large", "other", "large"]);
    await turns.stop();
  });

  test("have one turn at a time, and leave the other slots to others", async () => {
    const work: Record<string, number> = { large: 100 };
    const { taken, turns } = startWork(work, 2);
    await until("the first turn", () => taken.length === 1);
    work.late = 1;
    await until("the late one's turn", () => taken.length === 2);
    expect(taken).toEqual(["large", "late"]);
    await turns.stop();
    expect(taken).toHaveLength(2);
  });

  test("whose turn fails have another", async () => {
    let failures = 0;
    const turns = startTurns({
      ...{ what: "test", slots: 1, lookEveryMs: 5, logger: createLogger("test", "silent") },
      findTenants: async () => ["failing"],
      takeTurn: async () => {
        failures += 1;
        throw new Error("not now");
      },
    });
    await until("several tries", () => failures > 2);
    await turns.stop();
  });
});
