// Which events a watch has still to look at. Pure.
//
// A mark says: a transaction with an id of `xmax` or more began after it, the events it writes have numbers above `lastId`,
// and they are published later than `at`. So the events of transactions from `xid` on are found behind the latest
// mark whose `xmax` is not above `xid`, however long those transactions stay open.

export interface Mark {
  /** No transaction with this id or a higher one had begun to write. */
  readonly xmax: bigint;
  /** The highest number in the outbox, read before `xmax`. */
  readonly lastId: string;
  /** The database's time, read before `xmax`. */
  readonly at: string;
}

// While a transaction stays open for hours, fewer marks only make the range larger that is read once it ends.
const MARKS_MAX = 1_000;

/** The marks from the one behind which all events of transactions from `xid` on are found. */
export function marksFrom(marks: readonly Mark[], xid: bigint): readonly Mark[] {
  const first = marks.findLastIndex(({ xmax }) => xmax <= xid);
  return first === -1 ? marks : marks.slice(first);
}

export function withMark(marks: readonly Mark[], mark: Mark): readonly Mark[] {
  return marks.length < MARKS_MAX ? [...marks, mark] : marks;
}
