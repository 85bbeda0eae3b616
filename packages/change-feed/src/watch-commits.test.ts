import { marksFrom, withMark } from "./watch-commits.ts";

const mark = (xmax: bigint) => ({ xmax, lastId: String(xmax), at: "" });
const MARKS = [mark(10n), mark(20n), mark(30n)];

test("the events of a transaction are behind the latest mark that it is not older than", () => {
  expect(marksFrom(MARKS, 25n)).toEqual(MARKS.slice(1));
  expect(marksFrom(MARKS, 20n)).toEqual(MARKS.slice(1));
  expect(marksFrom(MARKS, 19n)).toEqual(MARKS);
  expect(marksFrom(MARKS, 99n)).toEqual(MARKS.slice(2));
});

test("while a transaction stays open, the number of marks is limited and the first stays", () => {
  let marks = [mark(1n)] as readonly ReturnType<typeof mark>[];
  for (let xmax = 2n; xmax < 5_000n; xmax += 1n) marks = withMark(marks, mark(xmax));
  expect([marks.length, marks[0]]).toEqual([1_000, mark(1n)]);
});
