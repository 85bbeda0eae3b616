// The tables at the top of next-attempt.ts, and the forms of Retry-After that a receiver may send (interface §17).
import type { Wait } from "../topology.ts";
import { heldUntilAfter, holdMsOf, PATIENCE, roomOf, transitionAfter } from "./next-attempt.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const NOW = Date.parse("2026-11-06T08:39:37Z");

describe("after a failed attempt", () => {
  const waits = [MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR];
  const schedule: Wait[] = waits.map((ms) => ({ label: `${ms}ms`, ms }));

  test.each(waits.map((ms, index) => [index + 1, ms]))(
    "%i, the next one is due after %i ms and up to a second",
    (attempt, ms) => {
      const wait = schedule[attempt - 1];
      for (const share of [0, 0.5, 1])
        expect(transitionAfter(attempt, "timeout", schedule, () => share)).toEqual({
          ...{ name: "attempt failed", wait },
          delayMs: ms + share * SECOND,
        });
    },
  );

  test("of a short wait, the next one is due up to a tenth later", () => {
    const short = [{ label: "1s", ms: SECOND }];
    expect(transitionAfter(1, "timeout", short, () => 1)).toMatchObject({ delayMs: 1_100 });
  });

  test("8, and after a success, there is no next attempt", () => {
    expect(transitionAfter(8, "http_status", schedule)).toEqual({ name: "last attempt failed" });
    for (const attempt of [1, 8])
      expect(transitionAfter(attempt, "delivered", schedule)).toEqual({ name: "attempt succeeded" });
  });
});

describe("Retry-After", () => {
  test.each([
    ["120", 120],
    [" 120 ", 120],
    ["Fri, 06 Nov 2026 08:49:37 GMT", 600],
    ["Friday, 06-Nov-26 08:49:37 GMT", 600],
    ["Fri Nov  6 08:49:37 2026", 600],
    ["7201", 7_200],
    ["9".repeat(30), 7_200],
    ["Fri, 31 Dec 9999 23:59:59 GMT", 7_200],
  ])("'%s' holds the endpoint for %i s", (header, seconds) => {
    for (const status of [429, 503]) expect(holdMsOf(status, header, NOW)).toBe(seconds * SECOND);
    for (const status of [200, 410, 500]) expect(holdMsOf(status, header, NOW)).toBeNull();
  });

  test.each([
    ...["0", "-5", "1.5", "1e3", "+120", "0x10", "", "soon", "soon 2099", "2099 or so", "120s"],
    ...["5 minutes", "Infinity", "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 99 Nov 2099 08:49:37 GMT"],
  ])("'%s' asks for nothing", (header) => {
    expect(holdMsOf(503, header, NOW)).toBeNull();
  });

  test("counts with its longest time if there are several, and asks for nothing if there is none", () => {
    expect(holdMsOf(503, ["60", "junk", "300", "120"], NOW)).toBe(300 * SECOND);
    expect(holdMsOf(503, undefined, NOW)).toBeNull();
  });
});

test.each<[string, { before?: number; holdMs?: number; downForMs?: number }, number | null]>([
  ["that asks for nothing is not held", {}, null],
  ["is held for as long as it asks", { holdMs: 30 * MINUTE }, 30 * MINUTE],
  ["keeps its earlier hold if that is longer", { before: HOUR, holdMs: MINUTE }, HOUR],
  ["that is down is held for a minute", { downForMs: 0 }, MINUTE],
  ["that has been down for a day is held for 15 minutes", { downForMs: 24 * HOUR }, 15 * MINUTE],
  ["that is down is held for longer if it asks", { downForMs: HOUR, holdMs: HOUR }, HOUR],
])("after a failure, an endpoint %s", (_, { before, holdMs = null, downForMs }, heldMs) => {
  const at = (ms: number | null | undefined) => (ms == null ? null : new Date(NOW + ms));
  const downSince = downForMs === undefined ? null : at(-downForMs);
  const failed = { endedAt: new Date(NOW), holdMs, downSince };
  expect(heldUntilAfter(at(before), failed, PATIENCE)).toEqual(at(heldMs));
});

test.each<
  [string, Partial<Parameters<typeof roomOf>[0]>, number, ["held" | "pace" | "in flight", number] | null]
>([
  ["is held", { heldMs: 90 * SECOND }, 0, ["held", 90 * SECOND]],
  ["is down and has an attempt in flight", { inFlightMax: 1, inFlight: 1 }, 0, ["in flight", SECOND]],
  ["may have 3 in flight and has 1", { inFlightMax: 3, inFlight: 1 }, 2, ["in flight", SECOND]],
  ["has more in flight than it may have", { inFlightMax: 3, inFlight: 9 }, 0, ["in flight", SECOND]],
  ["may start 10 a second", { perSecondMax: 10 }, 2, ["pace", 100]],
  ["may start 10 a second and owes some", { perSecondMax: 10, owedMs: 150 }, 0, ["pace", 50]],
  ["may start 10 a second and owes more", { perSecondMax: 10, owedMs: 500 }, 0, ["pace", 400]],
  ["may start 1 a second", { perSecondMax: 1 }, 1, ["pace", SECOND]],
  ["has both limits", { perSecondMax: 10, inFlightMax: 3, inFlight: 2 }, 1, ["in flight", SECOND]],
  ["may start 100 a second", { perSecondMax: 100 }, 5, null],
  ["has no limit", {}, 5, null],
])("an endpoint that %s", (_, more, allowed, rest) => {
  const restraint = { heldMs: null, inFlight: 0, inFlightMax: null, perSecondMax: null, owedMs: 0, ...more };
  const room = roomOf(restraint, 5);
  expect(room.allowed).toBe(allowed);
  expect(room.rest && [room.rest.because, Math.round(room.rest.ms)]).toEqual(rest);
});
