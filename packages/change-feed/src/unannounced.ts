// Decides which events a watch still has to look at. Pure.
//
// A mark is a statement about all transactions with an id of `xmax` or more: they began after the mark was taken, their events
// have numbers above `lastId`, and those events are published later than `at`. To find the events of transactions from `xid` on,
// read from the latest mark whose `xmax` is at most `xid`. This holds however long the transactions stay open.

export interface Mark {
  /** When the mark was taken, no transaction with this id or a higher one had written anything. */
  readonly xmax: bigint;
  /** The highest event number in the outbox, read before `xmax`. */
  readonly lastId: string;
  /** The database's time, read before `xmax`. */
  readonly at: string;
}

// A transaction that stays open for hours would add a mark at every poll. Without the later marks, only the range that is read
// when it ends grows.
const MARKS_MAX = 1_000;

/**
 * Returns the marks that are still needed for transactions from `xid` on. All events of these transactions come after the first
 * mark returned.
 */
export function marksFrom(marks: readonly Mark[], xid: bigint): readonly Mark[] {
  const first = marks.findLastIndex(({ xmax }) => xmax <= xid);
  return first === -1 ? marks : marks.slice(first);
}

/** Returns the marks with one more, unless there are already `MARKS_MAX`. */
export function withMark(marks: readonly Mark[], mark: Mark): readonly Mark[] {
  return marks.length < MARKS_MAX ? [...marks, mark] : marks;
}
