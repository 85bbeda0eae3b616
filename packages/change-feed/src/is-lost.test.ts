import { expect, test } from "@jest/globals";
import { isLost } from "./is-lost.ts";

const FIRST = { incarnation: "aaaaaaaa", last: { xid: "50", id: "7" } };
const SECOND = { incarnation: "bbbbbbbb", last: { xid: "90", id: "9" } };
const cursor = (xid: string, id: string, incarnation: string | null = null) => ({
  xid,
  id,
  since: 0,
  incarnation,
});

test("a cursor is lost if its event is newer than the last that a later restore has kept", () => {
  expect(isLost(cursor("50", "7"), [FIRST])).toBe(false);
  expect(isLost(cursor("50", "8"), [FIRST])).toBe(true);
  expect(isLost(cursor("51", "1"), [FIRST])).toBe(true);
  expect(isLost(cursor("9", "99"), [FIRST])).toBe(false);
  expect(isLost(cursor("51", "1"), [])).toBe(false);
});

test("a cursor from after a restore depends on the later ones only", () => {
  expect(isLost(cursor("80", "8", "aaaaaaaa"), [FIRST])).toBe(false);
  expect(isLost(cursor("80", "8", "aaaaaaaa"), [FIRST, SECOND])).toBe(false);
  expect(isLost(cursor("90", "10", "aaaaaaaa"), [FIRST, SECOND])).toBe(true);
  expect(isLost(cursor("99", "1", "bbbbbbbb"), [FIRST, SECOND])).toBe(false);
});

test("a cursor from after a restore that a later one has undone is lost", () => {
  expect(isLost(cursor("1", "1", "aaaaaaaa"), [SECOND])).toBe(true);
});
