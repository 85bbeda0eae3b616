// The simulation is arithmetic on measured costs. These properties hold whatever the costs are.
import { describe, expect, test } from "@jest/globals";
import { runScript } from "@tradepost/devstack";
import { ASSUMPTIONS, type Assumptions } from "../src/assumptions.ts";
import { type Plan, simulate } from "../src/simulate.ts";
import { UNIT_COSTS } from "../src/unit-costs.ts";

const plan = (scale: number, changed: Partial<Assumptions> = {}) =>
  simulate(scale, { ...ASSUMPTIONS, ...changed });
const inUse = ({ cores }: Plan) => Object.values(cores).reduce((sum, used) => sum + used, 0);

describe("the simulation", () => {
  test("takes ten times as many cores for ten times the load, but for those of idle processes", () => {
    const idle = inUse(plan(1e-9));
    expect(idle).toBeGreaterThan(0);
    expect(inUse(plan(10)) - idle).toBeCloseTo(10 * (inUse(plan(1)) - idle), 5);
  });

  test("counts an order with its webhooks as the costs say", () => {
    const only = { orders: 1_000, contentChanges: 1e-9, reads: 1e-9, webhooks: 3, attempts: 1, spread: 2 };
    const costOf = ({ cpu }: (typeof UNIT_COSTS)["order"]) =>
      Object.values(cpu).reduce((sum, ms) => sum + ms, 0);
    const expected = 2 * (costOf(UNIT_COSTS.order) + 3 * costOf(UNIT_COSTS.webhook));
    expect(inUse(plan(1, only)) - inUse(plan(1e-9))).toBeCloseTo(expected, 3);
  });

  test("has two processes of each service at least, and those that the load needs", () => {
    expect(plan(0.001).replicas).toEqual({ gateway: 2, orders: 2, content: 2, webhooks: 2 });
    const { cores, replicas } = plan(100);
    expect(replicas.gateway).toBe(Math.ceil(cores.gateway / ASSUMPTIONS.busyShare));
  });

  test("has more webhooks services for receivers that take longer", () => {
    const [fast, slow] = [plan(100), plan(100, { receiverMs: 10_000 })];
    expect(slow.replicas.webhooks).toBeGreaterThan(10 * fast.replicas.webhooks);
    expect(slow.cores).toEqual(fast.cores);
  });

  test("names the limit that is nearest", () => {
    const none = { postgresCores: 1e9, walMegabytes: 1e9, storedGigabytes: 1e9, queueMessages: 1e9 };
    expect(plan(1, { ...none, relayEvents: 6 }).limits[0]?.name).toBe("relay of the busiest service");
    expect(plan(1, { ...none, queueMessages: 6 }).limits[0]?.name).toBe("queue webhooks.events");
    expect(plan(1, { ...none, storedGigabytes: 6 }).limits[0]?.name).toMatch(/^disk of /);
    expect(plan(1, { ...none, walMegabytes: 6e-3 }).limits[0]?.name).toMatch(/^write-ahead log of /);
    expect(plan(1, { ...none, postgresCores: 6e-3 }).limits[0]?.name).toMatch(/^processor of /);
  });

  test("has as many cells as keep every limit", () => {
    for (const scale of [1, 10, 100, 1_000, 12_345]) {
      const { limits, cells, replicas } = plan(scale);
      for (const { used, max } of limits) expect(used / cells).toBeLessThanOrEqual(max);
      if (cells > 1) expect(limits.some(({ used, max }) => used / (cells - 1) > max)).toBe(true);
      expect(replicas.orders).toBeGreaterThanOrEqual(2 * cells);
    }
    expect(plan(1).cells).toBe(1);
  });

  test("costs what its cores and disks cost", () => {
    const { coresBought, storedGigabytes, pricePerMonth } = plan(10, { corePerHour: 1, gigabytePerMonth: 2 });
    // Each primary has a standby.
    expect(pricePerMonth).toBeCloseTo(coresBought * 730 + storedGigabytes * 2 * 2, 5);
  });
});

describe("npm run scaling", () => {
  const scaling = (...args: string[]) => runScript("tools/scaling/src/scaling.ts", args, {});

  test("prints its assumptions, the costs with their sources, and four scales", async () => {
    const { code, stdout, stderr } = await scaling("--orders", "7.5");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^--orders +7\.5 +orders per second/m);
    for (const { source } of Object.values(UNIT_COSTS)) expect(stdout).toContain(source);
    for (const scale of [1, 10, 100, 1_000]) expect(stdout).toMatch(new RegExp(`^${scale} +[\\d.]+ `, "m"));
  });

  test.each(["0", "-1", "many", ""])("refuses --orders %j", async (value) => {
    const { code, stderr } = await scaling("--orders", value);
    expect(code).toBe(1);
    expect(stderr).toMatch(/must be a number above 0/);
  });
});
