import { expect, test } from "@jest/globals";
import { mutantsOf } from "./mutate.ts";

const changesOf = (source: string) => mutantsOf(source, "module.ts").map(({ change }) => change);

test("a change is named with its line", () => {
  expect(changesOf("export const isNew = (age: number) =>\n  age < limit;")).toEqual([
    "< → <= in: age < limit;",
    "< → >= in: age < limit;",
  ]);
});

test("the same change in two places has two names", () => {
  expect(changesOf("let first = 0;\nlet second = 0;\n[first, second] = pair(0, 0);")).toEqual([
    "0 → 1 in: let first = 0;",
    "0 → 1 in: let second = 0;",
    "[first, second] = pair(0, 0); → ; in: [first, second] = pair(0, 0);",
    "[first, second] → [] in: [first, second] = pair(0, 0);",
    "0 → 1 in: [first, second] = pair(0, 0);",
    "0 → 1 in: [first, second] = pair(0, 0); (2)",
  ]);
});
