// Simulated: a thousand times, endpoints fail, hang, ask to wait and recover, and subscriptions are paused and resumed. From the
// responses the test works out when an attempt may start. That nothing starts during a pause, the claim's statement ensures, which the
// simulation imitates and `pause-and-delete.test.ts` tests; the bounds of what waits are statements too, which
// `waiting-bounds.test.ts` tests. Repeat the simulation of a failure with `FUZZ_SEED=<seed> npm test -- delivery-simulation`.
import { expect, test } from "@jest/globals";
import { numbersFrom } from "@tradepost/testing";
import type { Outcome } from "../src/delivery-status.ts";
import { type SimulatedSubscription, simulateDeliveries } from "./support/simulate-deliveries.ts";

const SEEDS = process.env.FUZZ_SEED
  ? [Number(process.env.FUZZ_SEED)]
  : Array.from({ length: 1_000 }, (_, index) => index + 1);
const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
/** The default schedule. */
const SCHEDULE = [1, 5, 15, 30, 60, 120, 240].map((minutes) => ({
  ...{ label: `${minutes}m`, ms: minutes * MINUTE },
}));
const ATTEMPTS_MAX = 8;
const FAILING_AFTER = 5;
const DOWN_AFTER = 8;
const HOLD_MAX_MS = 2 * HOUR;
const SUBSCRIPTIONS = 4;
const DELIVERIES = 12;
/** Until then endpoints fail, and subscriptions are paused. */
const TROUBLE_MS = 12 * HOUR;
/** Long enough for all attempts at an endpoint that stays down, of which one starts every 15 minutes. */
const QUIET_MS = 48 * HOUR;

test("each delivery ends after at most eight attempts, none starts during a hold or too soon while down, and each episode has one notice", () => {
  const counts = { delivered: 0, failed: 0, notices: 0, downs: 0 };
  for (const seed of SEEDS) {
    const faults: string[] = [];
    const subscriptions = simulate(seed, (fault) => void faults.push(fault));
    for (const one of subscriptions) {
      faults.push(...faultsAtEnd(one));
      for (const { status } of one.deliveries) counts[status === "failed" ? "failed" : "delivered"] += 1;
      counts.notices += one.opened.get("endpoint_failing") ?? 0;
      counts.downs += one.opened.get("endpoint_down") ?? 0;
    }
    if (faults.length > 0) throw new Error(`seed ${seed}: ${faults.slice(0, 3).join("; ")}`);
  }
  // All of it happens.
  if (SEEDS.length > 1) for (const count of Object.values(counts)) expect(count).toBeGreaterThan(100);
});

test("the same seed gives the same attempts", () => {
  const attempts = () => simulate(7, () => undefined).map(({ deliveries }) => deliveries);
  expect(attempts()).toEqual(attempts());
});

function simulate(seed: number, fail: (fault: string) => void): SimulatedSubscription[] {
  const random = numbersFrom(seed);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const simulation = simulateDeliveries({
    ...{ slots: pick([2, 8, 50]), schedule: SCHEDULE },
    onStart: (subscription, { attempts }) => {
      const at = simulation.now();
      const check = (isKept: boolean, fault: string) => isKept || fail(`${fault} at ${at} ms`);
      const { heldUntil, downSince } = restraintAfter(subscription.ended);
      check(at >= heldUntil, "an attempt during a hold");
      check(attempts.length < ATTEMPTS_MAX, "a ninth attempt");
      const last = attempts.at(-1);
      check(last?.outcome !== "delivered", "an attempt after a success");
      const waitMs = SCHEDULE[attempts.length - 1]?.ms ?? 0;
      check(last === undefined || at >= last.endedAt + waitMs, "an attempt before its time");
      if (downSince === null) return;
      const everyMs = lastStartOf(subscription) - downSince >= 24 * HOUR ? 15 * MINUTE : MINUTE;
      check(at >= lastStartOf(subscription) + everyMs, "an attempt too soon while down");
    },
  });
  const subscriptions = Array.from({ length: SUBSCRIPTIONS }, (_, number) => {
    const isBroken = random() < 0.2;
    const [failing, asking, troubleUntil] = [pick([0, 0.3, 1]), pick([0, 0, 0.2]), random() * TROUBLE_MS];
    const subscription = simulation.add(`t${number % 2}`, (at) => {
      const isFailing = isBroken || (at < troubleUntil && random() < failing);
      if (!isFailing) return { outcome: "delivered", durationMs: 50, statusCode: 200, retryAfterMs: null };
      if (random() < 0.3) {
        return { outcome: "timeout", durationMs: 10 * SECOND, statusCode: null, retryAfterMs: null };
      }
      const retryAfterMs = random() < asking ? pick([20 * SECOND, HOUR, 3 * HOUR]) : null;
      return { outcome: "http_status", durationMs: 100, statusCode: pick([410, 500, 503]), retryAfterMs };
    });
    for (let index = 0; index < DELIVERIES; index += 1)
      simulation.at(Math.floor(random() * TROUBLE_MS), () => simulation.deliver(subscription));
    for (let pauses = pick([0, 1, 2]); pauses > 0; pauses -= 1) {
      const from = Math.floor(random() * TROUBLE_MS);
      simulation.at(from, () => simulation.pause(subscription));
      simulation.at(from + Math.floor(random() * HOUR), () => simulation.resume(subscription));
    }
    simulation.at(TROUBLE_MS + HOUR, () => simulation.resume(subscription));
    return subscription;
  });
  simulation.run(TROUBLE_MS + QUIET_MS);
  return subscriptions;
}

/** Until when the endpoint has asked to wait, and since when it has been down, by interface §17. */
function restraintAfter(ended: SimulatedSubscription["ended"]): {
  heldUntil: number;
  downSince: number | null;
} {
  let [heldUntil, failures, failingSince]: [number, number, number] = [0, 0, 0];
  let downSince: number | null = null;
  for (const { outcome, startedAt, endedAt, retryAfterMs } of ended) {
    if (outcome === "delivered") {
      // The endpoint is up again, and gets what waits.
      if (downSince !== null) heldUntil = 0;
      [failures, downSince] = [0, null];
      continue;
    }
    if (failures === 0) failingSince = startedAt;
    failures += 1;
    if (failures >= DOWN_AFTER && endedAt - failingSince >= HOUR) downSince ??= endedAt;
    if (retryAfterMs !== null) heldUntil = Math.max(heldUntil, endedAt + Math.min(retryAfterMs, HOLD_MAX_MS));
  }
  return { heldUntil, downSince };
}

function lastStartOf({ deliveries }: SimulatedSubscription): number {
  return Math.max(...deliveries.flatMap(({ attempts }) => attempts.map(({ startedAt }) => startedAt)));
}

/** What is wrong once all deliveries have had time to end. */
function faultsAtEnd({ deliveries, ended, open, opened }: SimulatedSubscription): string[] {
  const unfinished = deliveries.filter(
    ({ status, attempts }) =>
      status !== "delivered" && !(status === "failed" && attempts.length === ATTEMPTS_MAX),
  );
  const outcomes = ended.map(({ outcome }) => outcome);
  const episodes = episodesOf(outcomes);
  const notices = opened.get("endpoint_failing") ?? 0;
  const isOver = outcomes.at(-1) === "delivered";
  return [
    ...unfinished.map(({ status, attempts }) => `${status} after ${attempts.length} attempts`),
    ...(notices === episodes ? [] : [`${notices} notices for ${episodes} episodes`]),
    ...(isOver && open.size > 0 ? [`${[...open].join()} is open after a success`] : []),
  ];
}

/** How often an endpoint has come to fail five times in a row. */
function episodesOf(outcomes: readonly Outcome[]): number {
  let [failures, episodes] = [0, 0];
  for (const outcome of outcomes) {
    failures = outcome === "delivered" ? 0 : failures + 1;
    if (failures === FAILING_AFTER) episodes += 1;
  }
  return episodes;
}
