// A reader's position in a tenant's feed, and its encoding as an opaque cursor (interface §10). Pure.
/** 64 bits, as strings. */
export interface FeedPosition {
  /** The transaction of the event; "0" before the first event. */
  readonly xid: string;
  readonly id: string;
}

export interface FeedCursor extends FeedPosition {
  /** All later events are published after this time. */
  readonly since: number;
  /** The latest restore of the database when the cursor was issued. */
  readonly incarnation: string | null;
}

export interface ReadPage {
  readonly position: FeedPosition;
  /** The start of the transaction of the last event that was passed; null if none was. */
  readonly positionBeganAt: number | null;
  /** Does not count events that wait for the oldest open transaction. */
  readonly hasMore: boolean;
  /** The events that may not be shown yet are published after this time. Null if they are too many to examine. */
  readonly restSince: number | null;
}

/**
 * Returns the cursor after a page. `since` advances for two reasons:
 *
 * - A transaction begins, then gets its id, then its event is published. So every event of a later transaction is published after
 *   the start of the transaction at the position.
 * - At the end of the feed only events that may not be shown yet remain, and `restSince` bounds those.
 */
export function cursorAfter(before: FeedCursor, page: ReadPage): FeedCursor {
  const restSince = page.hasMore ? null : page.restSince;
  const since = Math.max(before.since, page.positionBeganAt ?? 0, restSince ?? 0);
  return { ...page.position, since, incarnation: before.incarnation };
}

// Two ids, a time, a restore and three spaces in base64url.
const CURSOR_CHARACTERS_MAX = 88;
const XID_MAX = 2n ** 64n - 1n;
const ID_MAX = 2n ** 63n - 1n;

export function encodeFeedCursor({ xid, id, since, incarnation }: FeedCursor): string {
  const parts = [xid, id, since, ...(incarnation === null ? [] : [incarnation])];
  return Buffer.from(parts.join(" ")).toString("base64url");
}

export function decodeFeedCursor(text: string): FeedCursor | null {
  if (text.length > CURSOR_CHARACTERS_MAX || !/^[\w-]+$/.test(text)) return null;
  const numbers = /^(\d{1,20}) (\d{1,19}) (\d{1,15})(?: ([0-9a-f]{8}))?$/.exec(
    Buffer.from(text, "base64url").toString("latin1"),
  );
  if (numbers === null) return null;
  const [, xid = "", id = "", since = "", incarnation = null] = numbers;
  if (BigInt(xid) > XID_MAX || BigInt(id) > ID_MAX) return null;
  return { xid, id, since: Number(since), incarnation };
}

export interface Restore {
  readonly incarnation: string;
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
