import { describe, expect, test } from "@jest/globals";
import { cursorAfter, decodeFeedCursor, encodeFeedCursor, type ReadPage } from "./feed-cursor.ts";

const START = { xid: "0", id: "0", since: 100, mark: null };
const PAGE: ReadPage = {
  position: { xid: "50", id: "7" },
  positionBeganAt: 500,
  hasMore: false,
  xmin: "60",
  xmax: "70",
  readAt: 1_000,
};

describe("the cursor behind a page", () => {
  test("knows that later events were published after the last one began", () => {
    expect(cursorAfter(START, { ...PAGE, hasMore: true })).toEqual({
      xid: "50",
      id: "7",
      since: 500,
      mark: null,
    });
  });

  test("does not go back in time", () => {
    expect(cursorAfter(START, { ...PAGE, positionBeganAt: 20 }).since).toBe(100);
  });

  test("knows at the second visit of the end that later events were published after the first", () => {
    const first = cursorAfter(START, PAGE);
    expect(first).toEqual({ xid: "50", id: "7", since: 500, mark: { xmax: "70", at: 1_000 } });
    const second = cursorAfter(first, {
      ...PAGE,
      positionBeganAt: null,
      xmin: "70",
      xmax: "90",
      readAt: 2_000,
    });
    expect(second).toEqual({ xid: "50", id: "7", since: 1_000, mark: { xmax: "90", at: 2_000 } });
  });

  test("does not, while a transaction is open that began before the first visit", () => {
    const first = cursorAfter(START, PAGE);
    const second = cursorAfter(first, {
      ...PAGE,
      positionBeganAt: null,
      xmin: "69",
      xmax: "90",
      readAt: 2_000,
    });
    expect(second.since).toBe(500);
  });

  test("can be read again", () => {
    for (const cursor of [START, cursorAfter(START, PAGE)]) {
      expect(decodeFeedCursor(encodeFeedCursor(cursor))).toEqual(cursor);
    }
  });
});
