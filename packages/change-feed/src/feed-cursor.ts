// A reader's place in a tenant's feed, and its opaque text (interface §10). Pure.

/** Text, because a transaction's id has 64 bits, and a double has 53. */
export interface FeedPosition {
  /** The transaction of the last event read, "0" before the first. */
  readonly xid: string;
  /** The event's number in the outbox. */
  readonly id: string;
}

export interface FeedCursor extends FeedPosition {
  /** The events after the position were or will be published after this time, in ms since the epoch. */
  readonly since: number;
  /** The latest restore of the database when the cursor was issued; null if there was none. */
  readonly incarnation: string | null;
}

/** A page as far as the next cursor depends on it. */
export interface ReadPage {
  readonly position: FeedPosition;
  /** When the transaction of the event at the position began; null if the page has passed none. */
  readonly positionBeganAt: number | null;
  /** False if every event of a transaction below the oldest open one was read. */
  readonly hasMore: boolean;
  /** The events of the other transactions were or will be published after this time; null if there are too many to say. */
  readonly restSince: number | null;
}

/**
 * The cursor behind a page. A transaction gets its id after it begins, and its event is published after that. So the events
 * of later transactions were published after the one at the position began. At the end of the feed only the events of
 * transactions from the oldest open one on are left.
 */
export function cursorAfter(before: FeedCursor, page: ReadPage): FeedCursor {
  const restSince = page.hasMore ? null : page.restSince;
  const since = Math.max(before.since, page.positionBeganAt ?? 0, restSince ?? 0);
  return { ...page.position, since, incarnation: before.incarnation };
}

// 20 and 19 digits for two numbers of 64 bits, 15 for a time, 8 for a restore, and spaces, in base64url.
const CURSOR_CHARACTERS_MAX = 88;
const XID_MAX = 2n ** 64n - 1n;
const ID_MAX = 2n ** 63n - 1n;

export function encodeFeedCursor({ xid, id, since, incarnation }: FeedCursor): string {
  const parts = [xid, id, since, ...(incarnation === null ? [] : [incarnation])];
  return Buffer.from(parts.join(" ")).toString("base64url");
}

/** Returns null for a text that `encodeFeedCursor` has not made. */
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
