import { charge, msUntilAdmitted, secondsUntilAdmitted, tokensLeft } from "./token-bucket.ts";

const one = { cost: 1, tokensNeeded: 1 } as const;
const bulk = { cost: 501, tokensNeeded: 1 } as const;
const SIZE = { perSecond: 100, capacity: 200 };

/** The number of `count` simultaneous requests that are admitted. */
function admitted(count: number, msUntilFull: number, size = SIZE): number {
  let state = { isAdmitted: false, msUntilFull };
  let admittedCount = 0;
  for (let index = 0; index < count; index += 1) {
    state = charge(size, state.msUntilFull, one);
    if (state.isAdmitted) admittedCount += 1;
  }
  return admittedCount;
}

describe("a token bucket", () => {
  test.each([1, 3, 7, 100, 1_000_000])("of %i a second, full, admits its whole capacity", (perSecond) => {
    const capacity = Math.min(2 * perSecond, 5_000);
    expect(admitted(capacity + 5, 0, { perSecond, capacity })).toBe(capacity);
  });

  test("fills at its rate", () => {
    expect(admitted(500, 2_000)).toBe(0);
    expect(admitted(500, 1_990)).toBe(1);
    expect(admitted(500, 1_000)).toBe(100);
  });

  test("admits a request that costs more than it holds, and refuses the next ones until the debt is paid", () => {
    const { isAdmitted, msUntilFull } = charge(SIZE, 0, bulk);
    expect(isAdmitted).toBe(true);
    expect(tokensLeft(SIZE, msUntilFull)).toBe(-301);
    expect(msUntilAdmitted(SIZE, msUntilFull)).toBe(3_020);
    expect(charge(SIZE, msUntilFull - 3_019, one).isAdmitted).toBe(false);
    expect(charge(SIZE, msUntilFull - 3_020, one).isAdmitted).toBe(true);
  });

  test("does not charge a request that it refuses", () => {
    expect(charge(SIZE, 2_000, bulk)).toEqual({ isAdmitted: false, msUntilFull: 2_000 });
  });

  test("charges an admitted request extra, unless another request left a debt", () => {
    const more = { cost: 500, tokensNeeded: 0 } as const;
    const { isAdmitted, msUntilFull } = charge(SIZE, 2_000, more);
    expect([isAdmitted, tokensLeft(SIZE, msUntilFull)]).toEqual([true, -500]);
    expect(charge(SIZE, msUntilFull, more).isAdmitted).toBe(false);
  });

  test("charges what is never refused, also in debt", () => {
    const charged = charge(SIZE, 9_000, { cost: 10, tokensNeeded: "none" });
    expect(charged).toEqual({ isAdmitted: true, msUntilFull: 9_100 });
  });

  test("says after how many whole seconds a request is admitted", () => {
    const seconds = [0, 1_990, 2_990, 2_991, 3_991].map((ms) => secondsUntilAdmitted(SIZE, ms));
    expect(seconds).toEqual([1, 1, 1, 2, 3]);
    expect(msUntilAdmitted(SIZE, 0)).toBe(0);
  });
});

test("a window bucket admits the next one when its window ends", () => {
  const window = { windowSeconds: 60, capacity: 5 };
  expect(msUntilAdmitted(window, 1_500)).toBe(1_500);
  expect(secondsUntilAdmitted(window, 1_500)).toBe(2);
});
