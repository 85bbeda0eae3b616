import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import type { Outcome } from "../../delivery-status.ts";
import type { EndpointState } from "./endpoint-record.ts";
import { createScheduler, type Reservation, type Slot } from "./scheduler.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const endpoint = (tenantId: string, name: string, more: Partial<EndpointState> = {}): EndpointState => ({
  tenantId,
  subscriptionId: `${tenantId}.${name}`,
  windowSize: 2,
  isProven: false,
  consecutiveFailures: 0,
  origin: null,
  isRestrained: false,
  heldForMs: null,
  ...more,
});
const proven = { windowSize: 100, isProven: true };
const down = { windowSize: 1, isProven: false, consecutiveFailures: 50 };
const counts = (reservations: readonly Reservation[]) =>
  Object.fromEntries(reservations.map(({ endpoint, count }) => [endpoint.subscriptionId, count]));
const ended = (slots: readonly Slot[], outcome: Outcome = "delivered", durationMs = 5) =>
  slots.map((slot) => ({ slot, outcome, durationMs }));

function started({ slots = 200, hostPerSecondMax = Number.POSITIVE_INFINITY } = {}) {
  let nowMs = 0;
  const scheduler = createScheduler({ slots, hostPerSecondMax: () => hostPerSecondMax, now: () => nowMs });
  return {
    scheduler,
    pass: (ms: number) => {
      nowMs += ms;
    },
    endAndRecord: (made: ReturnType<typeof ended>) => {
      scheduler.end(made);
      scheduler.recorded(made);
    },
    /** Reserves and starts as many attempts as may start; throws if none may. */
    begin: (state: EndpointState, wanted = 1): Slot[] => {
      const reservation = scheduler.reserve(state, wanted);
      if (reservation === null) throw new Error("nothing may start");
      return scheduler.start(reservation, reservation.count);
    },
  };
}

describe("deliveries in hand", () => {
  test("start up to the endpoint's window, and not at an endpoint that is down", () => {
    const { scheduler } = started();
    expect(scheduler.reserve(endpoint("a", "1"), 10)?.count).toBe(2);
    expect(scheduler.reserve(endpoint("a", "1"), 10)).toBeNull();
    expect(scheduler.reserve(endpoint("a", "2", { windowSize: 8 }), 3)?.count).toBe(3);
    expect(scheduler.inFlight).toBe(5);
    expect(scheduler.reserve(endpoint("a", "3", down), 1)).toBeNull();
  });

  test("do not start before those that wait", () => {
    const { scheduler } = started();
    const state = endpoint("a", "1", proven);
    scheduler.addWaiting(state);
    expect(scheduler.reserve(state, 1)).toBeNull();
    const [reservation] = scheduler.next(10) as [Reservation];
    scheduler.start(reservation, 3);
    expect(scheduler.hasWaiting).toBe(false);
    expect(scheduler.reserve(state, 1)?.count).toBe(1);
  });

  test("give back what is cancelled or not found, once", () => {
    const { scheduler } = started();
    const first = scheduler.reserve(endpoint("a", "1"), 2) as Reservation;
    scheduler.cancel(first);
    scheduler.cancel(first);
    expect(scheduler.start(first, 2)).toEqual([]);
    expect(scheduler.inFlight).toBe(0);
    const second = scheduler.reserve(endpoint("a", "1"), 2) as Reservation;
    expect(scheduler.start(second, 1)).toHaveLength(1);
    expect(scheduler.inFlight).toBe(1);
  });
});

describe("the endpoints of a tenant at one host", () => {
  const at = (origin: string, name: string, tenantId = "a") =>
    endpoint(tenantId, name, { ...proven, origin });

  test("start together at most so many attempts a second, whatever their ports", () => {
    const { scheduler, pass } = started({ hostPerSecondMax: 10 });
    expect(scheduler.reserve(at("https://one.example", "1"), 6)?.count).toBe(6);
    pass(500);
    expect(scheduler.reserve(at("https://one.example:8443", "2"), 6)?.count).toBe(4);
    expect(scheduler.reserve(at("https://one.example.", "3"), 1)).toBeNull();
    pass(600);
    expect(scheduler.reserve(at("https://one.example", "4"), 10)?.count).toBe(6);
    expect(scheduler.reserve(at("https://one.example", "5"), 10)).toBeNull();
  });

  test("do not take from another host, another tenant, or a host without a name", () => {
    const { scheduler } = started({ hostPerSecondMax: 10 });
    expect(scheduler.reserve(at("https://one.example", "1"), 20)?.count).toBe(10);
    expect(scheduler.reserve(at("https://two.example", "2"), 20)?.count).toBe(10);
    expect(scheduler.reserve(at("https://one.example", "1", "b"), 20)?.count).toBe(10);
    expect(scheduler.reserve(endpoint("c", "1", proven), 20)?.count).toBe(20);
  });

  test("wait in turn without a slot, and delay nobody", () => {
    const { scheduler, pass } = started({ slots: 64, hostPerSecondMax: 4 });
    for (const name of ["1", "2", "3", "4", "5", "6"]) scheduler.addWaiting(at("https://one.example", name));
    const first = scheduler.next(50);
    expect(counts(first)).toEqual({ "a.1": 1, "a.2": 1, "a.3": 1, "a.4": 1 });
    expect(scheduler.wakeAt).toBe(100);
    scheduler.end(ended(first.flatMap((one) => scheduler.start(one, 1))));
    expect(scheduler.inFlight).toBe(0);
    scheduler.addWaiting(at("https://two.example", "7"));
    expect(counts(scheduler.next(50))).toEqual({ "a.7": 4 });
    pass(1_000);
    expect(scheduler.next(50)).toEqual([]);
    pass(100);
    expect(counts(scheduler.next(4))).toMatchObject({ "a.5": 1, "a.6": 1 });
  });

  test("get back what is cancelled or not found", () => {
    const { scheduler, pass } = started({ hostPerSecondMax: 10 });
    const first = scheduler.reserve(at("https://one.example", "1"), 10) as Reservation;
    scheduler.start(first, 3);
    const second = scheduler.reserve(at("https://one.example", "2"), 10) as Reservation;
    expect(second.count).toBe(7);
    pass(300);
    scheduler.cancel(second);
    expect(scheduler.reserve(at("https://one.example", "3"), 10)?.count).toBe(7);
  });

  test("follow a changed URL", () => {
    const { scheduler } = started({ hostPerSecondMax: 10 });
    scheduler.addWaiting(at("https://one.example", "1"));
    expect(scheduler.reserve(at("https://two.example", "2"), 8)?.count).toBe(8);
    scheduler.addWaiting(at("https://two.example", "1"));
    expect(counts(scheduler.next(50))).toEqual({ "a.1": 2 });
  });

  test("share the limit evenly, use all of it, and never more", () => {
    const { scheduler, pass } = started({ slots: 500, hostPerSecondMax: 50 });
    const endpoints = Array.from({ length: 40 }, (_, index) => at("https://one.example", `${index}`));
    for (const one of endpoints) scheduler.addWaiting(one);
    const startedAt: number[] = [];
    const byEndpoint = new Map<string, number>();
    for (let ms = 0; ms < 20_000; ms += 10) {
      for (const reservation of scheduler.next(30)) {
        const slots = scheduler.start(reservation, reservation.count);
        for (const slot of slots) {
          startedAt.push(ms);
          const { subscriptionId } = slot.endpoint;
          byEndpoint.set(subscriptionId, (byEndpoint.get(subscriptionId) ?? 0) + 1);
        }
        scheduler.end(ended(slots));
      }
      pass(10);
    }
    const inSecondFrom = startedAt.map(
      (from) => startedAt.filter((ms) => ms >= from && ms < from + 1_000).length,
    );
    expect(Math.max(...inSecondFrom)).toBe(50);
    expect(startedAt.length).toBeGreaterThan(0.9 * 50 * 20);
    expect(Math.max(...byEndpoint.values()) - Math.min(...byEndpoint.values())).toBeLessThanOrEqual(3);
  });
});

describe("endpoints with waiting deliveries", () => {
  test("take turns: tenants first, then the endpoints of a tenant", () => {
    const { scheduler } = started();
    for (const name of ["1", "2", "3"]) scheduler.addWaiting(endpoint("a", name, proven));
    scheduler.addWaiting(endpoint("b", "1", proven));
    expect(counts(scheduler.next(2))).toEqual({ "a.1": 1, "b.1": 1 });
    expect(counts(scheduler.next(2))).toEqual({ "a.2": 1, "b.1": 1 });
    expect(counts(scheduler.next(4))).toEqual({ "a.3": 1, "a.1": 1, "b.1": 2 });
  });

  test("get no more than their windows, and go on waiting if deliveries were added during a claim", () => {
    const { scheduler } = started();
    const state = endpoint("a", "1", { windowSize: 3 });
    scheduler.addWaiting(state);
    const [reservation] = scheduler.next(10) as [Reservation];
    expect(counts([reservation])).toEqual({ "a.1": 3 });
    expect(scheduler.next(10)).toEqual([]);
    scheduler.addWaiting(state);
    scheduler.start(reservation, 0);
    expect(scheduler.hasWaiting).toBe(true);
  });

  test("take their turn again when their attempts end, behind those that wait", () => {
    const { scheduler } = started({ slots: 4 });
    scheduler.addWaiting(endpoint("a", "1", { windowSize: 1 }));
    scheduler.addWaiting(endpoint("b", "1", { windowSize: 1 }));
    scheduler.addWaiting(endpoint("c", "1", { windowSize: 1 }));
    const first = scheduler.next(10);
    expect(counts(first)).toEqual({ "a.1": 1, "b.1": 1 });
    const slots = first.flatMap((one) => scheduler.start(one, 1));
    scheduler.end(ended(slots, "delivered", 5_000));
    expect(counts(scheduler.next(1))).toEqual({ "c.1": 1 });
  });

  test("get one attempt at a time if they are down, at most ten a second", () => {
    const { scheduler, pass } = started();
    scheduler.addWaiting(endpoint("a", "1", down));
    let attempts = 0;
    for (let ms = 0; ms < 1_000; ms += 5) {
      const [reservation] = scheduler.next(10);
      if (reservation !== undefined) {
        expect(reservation.count).toBe(1);
        attempts += 1;
        scheduler.end(ended(scheduler.start(reservation, 1), "connection_refused", 1));
        expect(scheduler.next(10)).toEqual([]);
        expect(scheduler.wakeAt).toBe(ms + 100);
      }
      pass(5);
    }
    expect(attempts).toBe(10);
  });
});

describe("the standing of an endpoint", () => {
  test("is returned to be stored when it changes, and not again", () => {
    const { scheduler, begin } = started();
    const state = endpoint("a", "1");
    const slots = begin(state, 2);
    expect(scheduler.end(ended(slots.slice(0, 1)))).toEqual([{ ...state, windowSize: 4, isProven: true }]);
    expect(scheduler.end(ended(slots.slice(1)))).toEqual([{ ...state, windowSize: 8, isProven: true }]);
    const settled = endpoint("a", "2", proven);
    expect(scheduler.end(ended(begin(settled, 50)))).toEqual([]);
  });

  test("is returned when the endpoint goes down, and when it comes back", () => {
    const { scheduler, begin } = started();
    const state = endpoint("a", "1", { windowSize: 1, consecutiveFailures: 48 });
    expect(scheduler.end(ended(begin(state), "timeout"))).toEqual([]);
    expect(scheduler.end(ended(begin(state), "timeout"))).toEqual([{ ...state, consecutiveFailures: 50 }]);
    const fresh = createScheduler({ slots: 200 });
    const slow = endpoint("a", "1", down);
    fresh.addWaiting(slow);
    const slots = fresh.next(1).flatMap((one) => fresh.start(one, 1));
    expect(fresh.end(ended(slots, "delivered", 15_000))).toEqual([{ ...slow, consecutiveFailures: 0 }]);
  });

  test("in memory counts for as long as the endpoint is busy or failed lately", () => {
    const { scheduler, begin, pass } = started();
    const state = endpoint("a", "1", { windowSize: 8, isProven: true });
    scheduler.end(ended(begin(state, 1), "timeout", 10_000));
    expect(scheduler.reserve(state, 10)?.count).toBe(4);
    const other = endpoint("a", "2", { windowSize: 8, isProven: true });
    scheduler.end(ended(begin(other, 1), "timeout", 10_000));
    pass(60_001);
    expect(scheduler.reserve(other, 10)?.count).toBe(8);
  });

  test("is lost in memory while an attempt runs for longer than a second, until the next success in time", () => {
    const { scheduler, begin, pass } = started({ slots: 8 });
    const state = endpoint("a", "1", proven);
    const [hanging] = begin(state) as [Slot];
    pass(1_000);
    expect(scheduler.freeProven).toBe(6);
    const [retry] = begin(state) as [Slot];
    // The new attempt counts in the other lane.
    expect(scheduler.freeProven).toBe(5);
    scheduler.end(ended([retry]));
    begin(state);
    expect(scheduler.freeProven).toBe(5);
    scheduler.end(ended([hanging], "timeout", 10_000));
    expect(scheduler.inFlight).toBe(1);
  });
});

describe("a restrained endpoint", () => {
  const restrained = { isRestrained: true, windowSize: 8 };
  const waiting = (state: Partial<EndpointState> = restrained) => {
    const { scheduler, ...rest } = started();
    const add = () => scheduler.addWaiting(endpoint("a", "1", state));
    add();
    return {
      ...rest,
      scheduler,
      add,
      next: () => scheduler.next(1)[0] as Reservation,
      expectNext: () => expect(counts(scheduler.next(1))).toEqual({ "a.1": 1 }),
      expectNone: () => expect(scheduler.next(1)).toEqual([]),
    };
  };

  test("that is held gets no attempt until the hold is over", () => {
    const { scheduler, pass, next, expectNext, expectNone } = waiting();
    scheduler.start(next(), 0, { because: "held", ms: 60_000 });
    expectNone();
    expect(scheduler.wakeAt).toBe(60_000);
    pass(60_000);
    expectNext();
  });

  test.each([restrained, { ...down, isRestrained: true }])("is free once somebody ends its hold", (state) => {
    const { scheduler, pass, add, next, expectNext, expectNone } = waiting(state);
    scheduler.start(next(), 0, { because: "held", ms: 3_600_000 });
    pass(1_000);
    expectNone();
    add();
    expectNext();
  });

  test("whose attempts are in flight gets the next when one is recorded, not before", () => {
    const { scheduler, next, expectNext, expectNone } = waiting();
    const made = ended(scheduler.start(next(), 1));
    scheduler.start(next(), 0, { because: "in flight", ms: 1_000 });
    scheduler.end(made);
    expectNone();
    scheduler.recorded(made);
    expectNext();
  });

  test("does not wait for an attempt that was recorded during the claim", () => {
    const { scheduler, endAndRecord, next, expectNext } = waiting();
    const made = ended(scheduler.start(next(), 1));
    const reserved = next();
    endAndRecord(made);
    scheduler.start(reserved, 0, { because: "in flight", ms: 1_000 });
    expectNext();
  });

  test("is restrained at once, also while a failure is not recorded", () => {
    const { scheduler, begin } = started();
    const [slot] = begin(endpoint("a", "1", { windowSize: 8 })) as [Slot];
    scheduler.end(ended([slot], "http_status"));
    expect(scheduler.reserve(endpoint("a", "1", restrained), 1)).toBeNull();
  });

  test("keeps its pace when an attempt is recorded", () => {
    const { scheduler, endAndRecord, pass, next, expectNext, expectNone } = waiting();
    endAndRecord(ended(scheduler.start(next(), 1, { because: "pace", ms: 500 })));
    expectNone();
    pass(500);
    expectNext();
  });
});

test("an endpoint whose failure could not be recorded is free once somebody ends its hold", () => {
  const { scheduler, begin, endAndRecord } = started();
  const [failing, healthy] = begin(endpoint("a", "1", { windowSize: 8 }), 2) as [Slot, Slot];
  const failure = [{ slot: failing, outcome: "http_status", durationMs: 5, holdMs: 3_600_000 }] as const;
  scheduler.end(failure);
  scheduler.givenUp(failure);
  scheduler.addWaiting(endpoint("a", "1"));
  const [reservation] = scheduler.next(1) as [Reservation];
  expect(reservation).toMatchObject({ isRestrained: false });
  // The failure may have been stored, so the next success resets it.
  expect(scheduler.isHealthy(healthy)).toBe(false);
  endAndRecord(ended([healthy]));
  expect(scheduler.isHealthy(healthy)).toBe(true);
});

describe("an endpoint is healthy", () => {
  test("until a failure ends, and again when a later success is recorded", () => {
    const { scheduler, begin, endAndRecord } = started();
    const state = endpoint("a", "1", { windowSize: 8 });
    const [first, second, third] = begin(state, 3) as [Slot, Slot, Slot];
    expect(scheduler.isHealthy(first)).toBe(true);
    const failure = ended([first], "http_status");
    scheduler.end(failure);
    expect(scheduler.isHealthy(second)).toBe(false);
    endAndRecord(ended([second]));
    // The failure may still be stored after the success.
    expect(scheduler.isHealthy(third)).toBe(false);
    scheduler.recorded(failure);
    const last = ended([third]);
    scheduler.end(last);
    expect(scheduler.isHealthy(third)).toBe(false);
    scheduler.recorded(last);
    expect(scheduler.isHealthy(third)).toBe(true);
  });

  test("if no failure is stored", () => {
    const { scheduler, begin } = started();
    const [slot] = begin(endpoint("a", "1", { consecutiveFailures: 3 })) as [Slot];
    expect(scheduler.isHealthy(slot)).toBe(false);
  });
});

test("keeps nothing of endpoints that have nothing to do, and a bounded number of failed ones", () => {
  const { scheduler, begin, endAndRecord } = started();
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let number = 0; number < 50_000; number += 1) {
    endAndRecord(ended(begin(endpoint(`t${number}`, "1")), number % 2 === 0 ? "delivered" : "timeout"));
  }
  expect(scheduler.inFlight).toBe(0);
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(16 * 1024 * 1024);
});

describe("whatever happens", () => {
  const stepOf = <Name extends string>(name: Name, whoMax: number, countMax: number) =>
    fc.record({
      do: fc.constant(name),
      who: fc.nat(whoMax),
      count: fc.integer({ min: 1, max: countMax }),
    });
  const step = fc.oneof(
    stepOf("reserve", 23, 8),
    stepOf("wait", 23, 20),
    stepOf("cancel", 23, 4),
    stepOf("succeed", 0x7fffffff, 9),
    stepOf("fail", 0x7fffffff, 9),
    stepOf("pass", 0, 1_500),
  );

  test("no limit is exceeded, and everything that waits is attempted in the end", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.array(step, { maxLength: 200 }), (slots, steps) => {
        const { scheduler, pass } = started({ slots });
        const states = Array.from({ length: 24 }, (_, who) =>
          endpoint(`t${who % 5}`, `${who}`, [{}, proven, down, { windowSize: 7 }][who % 4]),
        );
        const stateOf = (who: number) => states[who] as EndpointState;
        const waiting = new Map(states.map(({ subscriptionId }) => [subscriptionId, 0]));
        const inFlight: Slot[] = [];
        const claim = () => {
          for (const reservation of scheduler.next(slots)) {
            const { subscriptionId } = reservation.endpoint;
            const found = Math.min(reservation.count, waiting.get(subscriptionId) ?? 0);
            waiting.set(subscriptionId, (waiting.get(subscriptionId) ?? 0) - found);
            inFlight.push(...scheduler.start(reservation, found));
          }
        };
        const end = (first: number, count: number, outcome: Outcome) => {
          const ending = inFlight.splice(inFlight.length === 0 ? 0 : first % inFlight.length, count);
          const made = ended(ending, outcome, outcome === "delivered" ? 5 : 10_000);
          scheduler.end(made);
          claim();
          scheduler.recorded(made);
        };
        const perform: Record<(typeof steps)[number]["do"], (who: number, count: number) => void> = {
          reserve: (who, count) => {
            const reservation = scheduler.reserve(stateOf(who), count);
            if (reservation !== null) inFlight.push(...scheduler.start(reservation, reservation.count));
          },
          wait: (who, count) => {
            const { subscriptionId } = stateOf(who);
            waiting.set(subscriptionId, (waiting.get(subscriptionId) ?? 0) + count);
            scheduler.addWaiting(stateOf(who));
            claim();
          },
          cancel: (who, count) => {
            const reservation = scheduler.reserve(stateOf(who), count);
            if (reservation !== null) scheduler.cancel(reservation);
            for (const one of scheduler.next(count)) scheduler.cancel(one);
          },
          succeed: (who, count) => end(who, count, "delivered"),
          fail: (who, count) => end(who, count, "timeout"),
          pass: (_, count) => pass(count),
        };
        for (const { do: name, who, count } of steps) {
          perform[name](who, count);
          expect(scheduler.inFlight).toBe(inFlight.length);
          expect(inFlight.length).toBeLessThanOrEqual(Math.max(2, slots) * 4);
          for (const [id, same] of Map.groupBy(inFlight, (slot) => slot.endpoint.subscriptionId))
            expect([id, same.length <= 100]).toEqual([id, true]);
        }
        for (let round = 0; round < 2_000 && scheduler.hasWaiting; round += 1) {
          end(0, inFlight.length, "delivered");
          pass(100);
          claim();
        }
        expect([...waiting.values()].filter((count) => count > 0)).toEqual([]);
        end(0, inFlight.length, "delivered");
        expect(scheduler.inFlight).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
