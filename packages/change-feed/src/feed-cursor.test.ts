import { describe, expect, test } from "@jest/globals";
import { cursorAfter, decodeFeedCursor, encodeFeedCursor, type ReadPage } from "./feed-cursor.ts";

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
});
