// Simulated: however many endpoints hang, the first attempt at a proven endpoint, and at a new one of a tenant without a
// backlog, starts within a second. Endpoints with limits get what their limits allow, and all of it.
import { numbersFrom } from "@tradepost/testing";
import { type SimulatedEndpoint, startSimulation } from "./support/simulate-schedule.ts";

const SLOTS = 200;
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const TIMEOUT_MS = 10 * SECOND;
const FIRST_START_MS_MAX = SECOND;

const responds = () => ({ outcome: "delivered", durationMs: 50 }) as const;
const hangs = () => ({ outcome: "timeout", durationMs: TIMEOUT_MS }) as const;
const PROVEN = { windowSize: 100, isProven: true };

const sum = (endpoints: readonly SimulatedEndpoint[]) =>
  endpoints.reduce((total, { startedCount }) => total + startedCount, 0);

describe("first attempts", () => {
  test("of healthy proven endpoints start within a second, on a day on which a third of 10,000 endpoints hangs", () => {
    const random = numbersFrom(1);
    const simulation = startSimulation({ slots: SLOTS });
    const endpoints = Array.from({ length: 10_000 }, (_, number) => {
      // Each hangs for eight hours a day, from a different hour.
      const hangsFrom = random() * 24 * HOUR;
      const isHanging = (at: number) => (at - hangsFrom + 24 * HOUR) % (24 * HOUR) < 8 * HOUR;
      const endpoint = simulation.add(
        `t${number % 2_000}`,
        (at) => {
          if (isHanging(at)) return hangs();
          const outcome = random() < 0.001 ? "http_status" : "delivered";
          return { outcome, durationMs: Math.ceil(20 + 300 * random() ** 4) };
        },
        PROVEN,
      );
      return { endpoint, isHanging };
    });
    const delays: number[] = [];
    let healthyCount = 0;
    const emit = () => {
      const at = simulation.now();
      const one = endpoints[Math.floor(random() * endpoints.length)];
      if (one === undefined) throw new Error("no endpoint");
      const { endpoint, isHanging } = one;
      const isIdle = endpoint.waiting === 0 && endpoint.state.isProven;
      const startedBefore = endpoint.startedCount;
      // Now and then a tenant imports something.
      simulation.deliver(endpoint, random() < 0.001 ? 500 : 1);
      if (isIdle && !isHanging(at)) {
        healthyCount += 1;
        if (endpoint.startedCount === startedBefore) {
          const watch = () => {
            if (endpoint.startedCount === startedBefore) simulation.at(simulation.now() + 10, watch);
            else delays.push(simulation.now() - at);
          };
          watch();
        }
      }
      simulation.at(at + (-Math.log(1 - random()) * SECOND) / 2, emit);
    };
    emit();
    simulation.run(24 * HOUR);
    expect(healthyCount).toBeGreaterThan(100_000);
    expect(Math.max(0, ...delays)).toBeLessThanOrEqual(FIRST_START_MS_MAX);
    expect(simulation.inFlightMax()).toBeLessThanOrEqual(4 * SLOTS);
  });

  test("of proven endpoints start within a second when a third of all proven ones stops responding at once", () => {
    const random = numbersFrom(2);
    const simulation = startSimulation({ slots: SLOTS });
    const hanging = Array.from({ length: 3_333 }, (_, number) =>
      simulation.add(`t${number % 500}`, hangs, PROVEN),
    );
    const healthy = Array.from({ length: 6_667 }, (_, number) =>
      simulation.add(`t${number % 500}`, responds, PROVEN),
    );
    const pick = (from: SimulatedEndpoint[]) => from[Math.floor(random() * from.length)] as SimulatedEndpoint;
    const deliveredAt = new Map<SimulatedEndpoint, number>();
    const emit = () => {
      simulation.deliver(pick(hanging));
      const one = pick(healthy);
      if (!deliveredAt.has(one)) deliveredAt.set(one, simulation.now());
      simulation.deliver(one);
      simulation.at(simulation.now() + 30, emit);
    };
    emit();
    simulation.run(120 * SECOND);
    const delays = [...deliveredAt].map(
      ([{ firstStartedAt }, at]) => (firstStartedAt ?? Number.POSITIVE_INFINITY) - at,
    );
    expect(delays.length).toBeGreaterThan(2_500);
    expect(Math.max(...delays)).toBeLessThanOrEqual(FIRST_START_MS_MAX);
  });

  test.each([
    ["300 new hanging endpoints of 6 tenants", 300, 6, {}],
    ["300 proven endpoints of 6 tenants that stop responding", 300, 6, PROVEN],
    ["50 silent endpoints of one tenant", 50, 1, {}],
    ["50 proven endpoints of one tenant that stop responding", 50, 1, PROVEN],
  ])("of a stranger start within a second with %s", (_title, count, tenants, standing) => {
    for (const strangerStanding of [{}, PROVEN]) {
      const simulation = startSimulation({ slots: SLOTS });
      const hanging = Array.from({ length: count }, (_, number) =>
        simulation.add(`t${number % tenants}`, hangs, standing),
      );
      for (const one of hanging) simulation.deliver(one, 100);
      const delays: number[] = [];
      // One after another, each of a tenant of its own, during the first minutes.
      for (let number = 0; number < 400; number += 1) {
        const stranger = simulation.add(`stranger${number}`, responds, strangerStanding);
        const at = number * 300;
        simulation.at(at, () => simulation.deliver(stranger));
        simulation.at(at + FIRST_START_MS_MAX, () =>
          delays.push((stranger.firstStartedAt ?? Number.POSITIVE_INFINITY) - at),
        );
      }
      simulation.run(125 * SECOND);
      expect(delays).toHaveLength(400);
      expect(Math.max(...delays)).toBeLessThanOrEqual(FIRST_START_MS_MAX);
      expect(simulation.inFlightMax()).toBeLessThanOrEqual(4 * SLOTS);
      // The hanging ones get their turns as well.
      expect(hanging.filter(({ startedCount }) => startedCount === 0)).toEqual([]);
      expect(sum(hanging)).toBeGreaterThan(count);
    }
  });
});

describe("endpoints with limits", () => {
  const SEEDS = 100;

  test("get no attempt beyond them, and every delivery, whatever their responses and their neighbours are", () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const random = numbersFrom(seed);
      const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
      const simulation = startSimulation({ slots: pick([8, 50, SLOTS]) });
      const faults: unknown[] = [];
      const expect = (isKept: boolean, fault: string) => {
        if (!isKept) faults.push({ seed, at: simulation.now(), fault });
      };
      const endpoints = Array.from({ length: 40 }, (_, number) => {
        const durationMs = pick([5, 50, 400, 3_000]);
        const [failing, asking] = [pick([0, 0, 0.2, 1]), pick([0, 0, 0.1])];
        const limits = {
          perSecondMax: pick([1, 3, 20, null]),
          inFlightMax: pick([1, 2, 10, null]),
        };
        const startedAt: number[] = [];
        const endpoint: SimulatedEndpoint = simulation.add(
          `t${number % 10}`,
          (at) => {
            expect(at >= endpoint.heldUntil, "an attempt during a hold");
            expect(
              endpoint.inFlight <= (limits.inFlightMax ?? Number.POSITIVE_INFINITY),
              "too many in flight",
            );
            startedAt.push(at);
            const inLastSecond = startedAt.filter((started) => started > at - SECOND).length;
            const perSecondMax = limits.perSecondMax ?? Number.POSITIVE_INFINITY;
            expect(inLastSecond <= Math.ceil(perSecondMax * 1.2) + 1, "too many in a second");
            if (random() < asking) return { outcome: "http_status", durationMs, holdMs: pick([500, 20_000]) };
            return { outcome: random() < failing ? "http_status" : "delivered", durationMs };
          },
          {},
          limits,
        );
        for (let burst = 0; burst < 5; burst += 1) {
          const count = pick([1, 5, 40]);
          simulation.at(random() * 60 * SECOND, () => simulation.deliver(endpoint, count));
        }
        return endpoint;
      });
      simulation.run(4 * HOUR);
      for (const { waiting } of endpoints) expect(waiting === 0, `${waiting} deliveries were left`);
      if (faults.length > 0) throw new Error(`seed ${seed}: ${JSON.stringify(faults.slice(0, 3))}`);
    }
  });

  test("of one attempt at a time get the next when one has ended", () => {
    const simulation = startSimulation({ slots: SLOTS });
    const endpoint = simulation.add("t", responds, {}, { inFlightMax: 1 });
    simulation.deliver(endpoint, 100);
    const { durationMs } = responds();
    simulation.run(110 * durationMs);
    expect(endpoint.startedCount).toBe(100);
  });

  test("take their whole pace, and no slot from a stranger while they wait", () => {
    const simulation = startSimulation({ slots: SLOTS });
    const paced = Array.from({ length: 500 }, () =>
      simulation.add("t", responds, PROVEN, { perSecondMax: 2 }),
    );
    for (const one of paced) simulation.deliver(one, 1_000);
    const stranger = simulation.add("stranger", responds);
    simulation.at(30 * SECOND, () => simulation.deliver(stranger));
    simulation.run(60 * SECOND);
    expect(stranger.firstStartedAt).toBeLessThanOrEqual(30 * SECOND + FIRST_START_MS_MAX);
    expect(Math.min(...paced.map(({ startedCount }) => startedCount))).toBeGreaterThanOrEqual(110);
    expect(Math.max(...paced.map(({ startedCount }) => startedCount))).toBeLessThanOrEqual(121);
  });
});
