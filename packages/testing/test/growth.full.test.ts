// The measurement distinguishes linear from quadratic cost; other tests rely on it.
import { expect, test } from "@jest/globals";
import { growthOf, LINEAR_GROWTH_MAX } from "../src/growth.ts";

const SIZES = { min: 1_000, max: 32_000 };

test("finds linear growth", async () => {
  const growth = await growthOf(SIZES, (size) => () => spend(size / 250));
  expect(growth).toBeLessThan(LINEAR_GROWTH_MAX);
});

test("finds quadratic growth", async () => {
  const growth = await growthOf(SIZES, (size) => () => spend((size / 2_000) ** 2));
  expect(growth).toBeGreaterThan(LINEAR_GROWTH_MAX);
});

/** Uses the processor for about `ms` milliseconds. */
function spend(ms: number): void {
  const before = process.cpuUsage();
  let spentMs = 0;
  while (spentMs < ms) {
    const { user, system } = process.cpuUsage(before);
    spentMs = (user + system) / 1_000;
  }
}
