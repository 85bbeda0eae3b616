import { freeOf, type Lane, lanesOf, mayStart } from "./lanes.ts";

const LANES = lanesOf(200);

/** Lets each tenant take as many slots as it may: one slot at a time in turn, or all of its slots before the next tenant. */
function fill(lane: Lane, tenants: number, { inTurn }: { inTurn: boolean }) {
  const usage = { proven: 0, other: 0, down: 0, aged: 0 };
  const held = Array.from({ length: tenants }, () => 0);
  const take = (tenant: number) => {
    if (!mayStart(lane, held[tenant] ?? 0, usage, LANES)) return false;
    held[tenant] = (held[tenant] ?? 0) + 1;
    usage[lane] += 1;
    if (lane === "down") usage.other += 1;
    return true;
  };
  if (inTurn) while (held.map((_, tenant) => take(tenant)).some(Boolean));
  else for (const tenant of held.keys()) while (take(tenant));
  return { usage, held };
}

describe("the lanes", () => {
  test.each([
    ["new or failing", "at most a quarter", "other", 44, 56],
    ["down", "at most an eighth", "down", 19, 31],
    ["proven", "half", "proven", 104, 46],
  ] as const)("give one tenant with endpoints that are %s %s of all slots", (_, __, lane, most, rest) => {
    const { usage, held } = fill(lane, 1, { inTurn: true });
    expect([held, freeOf(lane, usage, LANES)]).toEqual([[most], rest]);
  });

  test.each([true, false])("leave a slot for one more tenant, however they fill (in turn: %p)", (inTurn) => {
    for (const lane of ["proven", "other"] as const) {
      for (let tenants = 1; tenants <= 12; tenants += 1) {
        const { usage } = fill(lane, tenants, { inTurn });
        expect([lane, tenants, mayStart(lane, 0, usage, LANES)]).toEqual([lane, tenants, true]);
      }
    }
  });

  test("have room for every kind of endpoint with the fewest slots", () => {
    for (const slots of [1, 2, 3, 4]) {
      const usage = { proven: 0, other: 0, down: 0, aged: 0 };
      for (const lane of ["proven", "other", "down"] as const)
        expect([slots, lane, mayStart(lane, 0, usage, lanesOf(slots))]).toEqual([slots, lane, true]);
    }
  });
});

describe("the shares of 84 slots", () => {
  const lanes = lanesOf(84);
  const NONE = { proven: 0, other: 0, down: 0, aged: 0 };

  test("are whole numbers, of at least two slots", () => {
    expect(lanes).toEqual({ slots: 84, half: 42, quarter: 21, inFlightMax: 336 });
    expect(lanesOf(7)).toEqual({ slots: 7, half: 3, quarter: 1, inFlightMax: 28 });
    expect(lanesOf(0)).toEqual({ slots: 2, half: 1, quarter: 0, inFlightMax: 8 });
  });

  test.each([
    ["proven", {}, 63],
    ["proven", { aged: 200 }, 42],
    ["proven", { other: 42 }, 42],
    ["proven", { proven: 63 }, 0],
    ["proven", { proven: 10, other: 20, down: 3, aged: 30 }, 32],
    ["proven", { proven: 30, other: 5 }, 33],
    ["proven", { proven: 30, other: 15, aged: 3 }, 26],
    ["proven", { proven: 1, other: 2, aged: 330 }, 3],
    ["other", { proven: 50, other: 10, down: 4, aged: 30 }, 3],
    ["other", { proven: 10, other: 10, aged: 8 }, 24],
    ["other", { proven: 63 }, 21],
    ["other", { aged: 200 }, 21],
    ["other", { aged: 336 }, 0],
    ["other", { other: 42 }, 0],
    ["down", { other: 5, down: 4 }, 17],
  ] as const)("leave in the lane %s, with %j in progress, %d free", (lane, usage, free) => {
    expect(freeOf(lane, { ...NONE, ...usage }, lanes)).toBe(free);
  });

  test("let an endpoint that is down have one attempt, however few the slots are", () => {
    expect(freeOf("down", NONE, lanesOf(2))).toBe(1);
    expect(freeOf("down", { ...NONE, down: 1 }, lanesOf(2))).toBe(0);
  });

  test("are not all for one tenant", () => {
    const heldMax = (lane: "proven" | "other", usage: object) =>
      Array.from({ length: 200 }, (_, held) => held).filter((held) =>
        mayStart(lane, held, { ...NONE, ...usage }, lanes),
      ).length;
    expect([heldMax("proven", {}), heldMax("proven", { proven: 35, other: 5 })]).toEqual([84, 69]);
    expect(heldMax("other", {})).toBe(37);
  });
});
