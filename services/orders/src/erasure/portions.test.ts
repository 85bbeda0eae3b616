import { portionsOf } from "./portions.ts";

test("rows are in portions of at most 8 MiB, in their order, and a larger row is alone", () => {
  const MiB = 1024 * 1024;
  const rows = [3, 4, 2, 9, 1, 7].map((size) => ({ size, bytes: size * MiB }));
  expect(portionsOf(rows).map((portion) => portion.map(({ size }) => size))).toEqual([
    [3, 4],
    [2],
    [9],
    [1, 7],
  ]);
  expect(portionsOf([])).toEqual([]);
});
