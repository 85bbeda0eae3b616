import { nearQuotas } from "./near-quotas.ts";

const max = { mediaBytes: 1_000, eventBytes: null };

test.each([
  ["less than 80 %", 799, [], []],
  ["80 %", 800, [], ["mediaBytes"]],
  ["more than all of it", 5_000, [], ["mediaBytes"]],
  ["70 %, after 80 %", 700, ["mediaBytes"], ["mediaBytes"]],
  ["less than 70 %, after 80 %", 699, ["mediaBytes"], []],
] as const)("%s of a quota", (_, mediaBytes, before, after) => {
  expect(nearQuotas({ mediaBytes, eventBytes: 9_999 }, max, before)).toEqual(after);
});
