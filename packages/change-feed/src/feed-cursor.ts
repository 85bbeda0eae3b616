// A reader's position in a tenant's feed, and its encoding as an opaque cursor (interface §10). Pure.

/** The position of an event. The ids are strings, because they have 64 bits and a double holds only 53. */
export interface FeedPosition {
  /** The id of the event's transaction; "0" before the first event. */
  readonly xid: string;
  /** The event's number in the outbox. */
  readonly id: string;
}

export interface FeedCursor extends FeedPosition {
  /** All later events were or will be published after this time, in ms since the epoch. */
  readonly since: number;
  /** Names the latest restore of the database when the cursor was issued; null if there was none. */
  readonly incarnation: string | null;
}

/** The facts about a page that determine the next cursor. */
export interface ReadPage {
  readonly position: FeedPosition;
  /**
   * Start time of the transaction that wrote the last event passed, in ms since the epoch; null if the page has passed no event.
   */
  readonly positionBeganAt: number | null;
  /** False once all events that may be shown now have been read. Events of newer transactions wait for the oldest open one. */
  readonly hasMore: boolean;
  /**
   * The events that may not be shown yet were or will be published after this time, in ms since the epoch. Null if they are too
   * many to examine.
   */
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

// 20 and 19 digits for the two ids, 15 for a time, 8 for a restore, and three spaces, encoded in base64url.
const CURSOR_CHARACTERS_MAX = 88;
const XID_MAX = 2n ** 64n - 1n;
const ID_MAX = 2n ** 63n - 1n;

/** Encodes a cursor as the opaque text that clients pass as `after` (interface §10). */
export function encodeFeedCursor({ xid, id, since, incarnation }: FeedCursor): string {
  const parts = [xid, id, since, ...(incarnation === null ? [] : [incarnation])];
  return Buffer.from(parts.join(" ")).toString("base64url");
}

/** Returns null for a text that is not a cursor of `encodeFeedCursor`. */
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
