// Whether a cursor points behind the events that a restore has kept. Pure.
import type { FeedCursor, FeedPosition } from "./feed-cursor.ts";

export interface Restore {
  readonly incarnation: string;
  /** The newest event that the restore has kept. */
  readonly last: FeedPosition;
}

/**
 * `restores` are those of the database, oldest first. The cursor is lost if a restore that followed it has kept only
 * older events than the one at its position, or if the restore that it names is gone because a later one went back further:
 * events that are written after the restore may take its position, and a reader would skip them.
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
