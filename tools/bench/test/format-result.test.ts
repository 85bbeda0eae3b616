import { expect, test } from "@jest/globals";
import { formatResult } from "../src/result.ts";

test("prints the processor time of all programs and of each, the baseline's, and further figures", () => {
  const text = formatResult({
    name: "fan-out",
    unit: "deliveries/s",
    target: "≥ 0.45",
    measured: 1_000,
    baseline: 2_000,
    ratio: { median: 0.5, lowest: 0.4, highest: 0.6 },
    cpu: { webhooks: 0.5, postgres: 0.25, gateway: 0 },
    baselineCpu: 0.1,
    figures: { "first, ms": 12.34 },
  });
  expect(text.split("\n    ")).toEqual([
    "fan-out: 1,000 deliveries/s · baseline 2,000 · ratio 0.50 (0.40 to 0.60) · target ≥ 0.45",
    "CPU-ms per unit: 0.75: webhooks 0.500, postgres 0.250",
    "CPU-ms per unit of the baseline: 0.100",
    "first, ms: 12.3",
  ]);
});
