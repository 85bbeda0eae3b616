// Decides whether a cursor points past the events that survived a restore. Pure.
import type { FeedCursor, FeedPosition } from "./feed-cursor.ts";

export interface Restore {
  readonly incarnation: string;
  /** The newest event that survived the restore. */
  readonly last: FeedPosition;
}

/**
 * Reports whether a cursor is lost. `restores` are the restores of the database, oldest first.
 *
 * A cursor is lost if a later restore did not keep the event at its position: new events may take that position, and a reader
 * would skip them. It is also lost if the restore that it names was undone by a restore to an earlier time.
 */
export function isLost(cursor: FeedCursor, restores: readonly Restore[]): boolean {
  const issuedIn = restores.findIndex(({ incarnation }) => incarnation === cursor.incarnation);
  if (cursor.incarnation !== null && issuedIn === -1) return true;
  return restores.slice(issuedIn + 1).some(({ last }) => isAfter(cursor, last));
}

function isAfter(one: FeedPosition, other: FeedPosition): boolean {
  const [xid, otherXid] = [BigInt(one.xid), BigInt(other.xid)];
  return xid === otherXid ? BigInt(one.id) > BigInt(other.id) : xid > otherXid;
}
