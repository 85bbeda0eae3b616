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

  test("knows at the end since when the rest is published, unless that is too large", () => {
    expect(cursorAfter(START, PAGE).since).toBe(1_000);
    expect(cursorAfter(START, { ...PAGE, positionBeganAt: null }).since).toBe(1_000);
    expect(cursorAfter(START, { ...PAGE, restSince: null }).since).toBe(500);
  });

  test("can be read again", () => {
    const last = { xid: String(2n ** 64n - 1n), id: String(2n ** 63n - 1n), since: 999_999_999_999_999 };
    for (const cursor of [START, { ...last, incarnation: "89abcdef" }])
      expect(decodeFeedCursor(encodeFeedCursor(cursor))).toEqual(cursor);
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
const [NONE, BOTH] = [[], [FIRST, SECOND]];
test.each([
  ["at the last event that a restore kept", false, "50", "7", null, [FIRST]],
  ["past that event", true, "50", "8", null, [FIRST]],
  ["past its transaction", true, "51", "1", null, [FIRST]],
  ["before its transaction", false, "9", "99", null, [FIRST]],
  ["of a database that was never restored", false, "51", "1", null, NONE],
  ["from after the restore", false, "80", "8", "aaaaaaaa", [FIRST]],
  ["from after it and kept by the next", false, "80", "8", "aaaaaaaa", BOTH],
  ["from after it and not kept by the next", true, "90", "10", "aaaaaaaa", BOTH],
  ["from after both restores", false, "99", "1", "bbbbbbbb", BOTH],
  ["from after a restore that a later one has undone", true, "1", "1", "aaaaaaaa", [SECOND]],
])("a cursor %s is lost: %p", (_, lost, xid, id, incarnation, restores) => {
  expect(isLost({ xid, id, since: 0, incarnation }, restores)).toBe(lost);
});
