import { expect, test } from "@jest/globals";
import { compare, formatComparison } from "../src/ratios.ts";

test("the ratio is that of each pair, not of the medians", () => {
  const measured = [{ ms: [3] }, { ms: [2] }, { ms: [8] }];
  const other = [{ ms: [1] }, { ms: [4] }, { ms: [4] }];
  expect(compare(measured, other)).toEqual([
    { figure: "ms", measured: 3, other: 4, ratio: { median: 2, lowest: 0.5, highest: 3 } },
  ]);
});

test("samples of one turn are pairs, too", () => {
  const [comparison] = compare([{ percent: [1, 2, 3] }], [{ percent: [2, 2, 2] }]);
  expect(comparison?.ratio).toEqual({ median: 1, lowest: 0.5, highest: 1.5 });
});

test("a figure that one platform does not have has no ratio", () => {
  const [comparison] = compare([{ MB: [153] }], [{}]);
  expect(comparison).toEqual({ figure: "MB", measured: 153 });
  expect(comparison && formatComparison(comparison).split(/ +/)).toEqual(["MB", "–", "153", "–"]);
});

test("prints the ratio with its spread, and both figures", () => {
  const ratio = { median: 0.7512, lowest: 0.7, highest: 0.8 };
  const text = formatComparison({ figure: "order: CPU-ms", ratio, measured: 1.234, other: 1_644.4 });
  expect(text.split(/ {2,}/)).toEqual(["order: CPU-ms", "0.75 (0.70 to 0.80)", "1.23", "1,644"]);
});
