import { expect, test } from "@jest/globals";
import { duration } from "./duration.ts";

test.each([
  [0, "0 ms"],
  [999, "999 ms"],
  [1_000, "1.0 s"],
  [10_049, "10.0 s"],
])("a duration of %d", (ms, text) => expect(duration(ms)).toBe(text));
