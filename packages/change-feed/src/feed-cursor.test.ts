import { describe, expect, test } from "@jest/globals";
import { cursorAfter, decodeFeedCursor, encodeFeedCursor, isLost, type ReadPage } from "./feed-cursor.ts";

const START = { xid: "0", id: "0", since: 100, incarnation: null };
const POSITION = { xid: "50", id: "7" };
const PAGE: ReadPage = { position: POSITION, positionBeganAt: 500, hasMore: false, restSince: 1_000 };

describe("the cursor behind a page", () => {
  test("knows that later events were published after the last one began", () => {
    expect(cursorAfter(START, { ...PAGE, hasMore: true })).toEqual({ ...START, ...POSITION, since: 500 });
  });

  test("does not go back in time", () => {
    const page = { ...PAGE, positionBeganAt: 20, restSince: 10 };
    expect(cursorAfter(START, page).since).toBe(100);
  });

  test("knows at the end since when the rest is published", () => {
    expect(cursorAfter(START, PAGE).since).toBe(1_000);
    expect(cursorAfter(START, { ...PAGE, positionBeganAt: null }).since).toBe(1_000);
  });

  test("does not if the rest is too large", () => {
    expect(cursorAfter(START, { ...PAGE, restSince: null }).since).toBe(500);
  });

  test("can be read again", () => {
    for (const cursor of [
      START,
      {
        xid: String(2n ** 64n - 1n),
        id: String(2n ** 63n - 1n),
        since: 999_999_999_999_999,
        incarnation: "89abcdef",
      },
    ]) {
      expect(decodeFeedCursor(encodeFeedCursor(cursor))).toEqual(cursor);
    }
  });

  test("begins where the one before did if the page is empty", () => {
    const before = { ...START, since: -5 };
    expect(cursorAfter(before, { ...PAGE, positionBeganAt: null, restSince: null }).since).toBe(0);
  });
});

test.each([
  ["", ""],
  ["1 2 3 ", "a blank at its end"],
  ["1 2", "too few numbers"],
  ["1 2 3 xyz", "a restore that is no name"],
  ["x1 2 3", "something else in front"],
  ["-1 2 3", "a sign"],
  [`${2n ** 64n} 2 3`, "a transaction beyond 64 bits"],
  [`1 ${2n ** 63n} 3`, "an event beyond 63 bits"],
  [`${2n ** 64n} ${2n ** 63n} 3`, "both"],
])("%j is no cursor: %s", (text) => {
  expect(decodeFeedCursor(Buffer.from(text).toString("base64url"))).toBeNull();
});

test("a text in another encoding, or one that is too long, is no cursor", () => {
  expect(decodeFeedCursor(Buffer.from("1 2 3").toString("base64url"))).not.toBeNull();
  expect(decodeFeedCursor(`${Buffer.from("1 2 3").toString("base64url")}=`)).toBeNull();
  expect(decodeFeedCursor("1 2 3")).toBeNull();
  expect(decodeFeedCursor(Buffer.from(`1 2 ${"3".repeat(100)}`).toString("base64url"))).toBeNull();
});

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
