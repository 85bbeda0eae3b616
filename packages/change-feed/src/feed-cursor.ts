// A reader's place in a tenant's feed, and its opaque text (interface §10). Pure.

/** Text, because a transaction's id has 64 bits, and a double has 53. */
export interface FeedPosition {
  /** The transaction of the last event read, "0" before the first. */
  readonly xid: string;
  /** The event's number in the outbox. */
  readonly id: string;
}

/** What a reader knows about the events after its position. */
export interface FeedCursor extends FeedPosition {
  /** They were published after this time, in ms since the epoch. */
  readonly since: number;
  /** Those of transactions from `xmax` on were published after `at`. Null before the reader has come to an end. */
  readonly mark: { readonly xmax: string; readonly at: number } | null;
}

/** A page as far as the next cursor depends on it. */
export interface ReadPage {
  readonly position: FeedPosition;
  /** When the transaction of the event at the position began; null if the page has passed none. */
  readonly positionBeganAt: number | null;
  /** False if every event of a transaction below `xmin` was read. */
  readonly hasMore: boolean;
  /** The oldest transaction that was open, and the first that had not begun, after `readAt`. */
  readonly xmin: string;
  readonly xmax: string;
  readonly readAt: number;
}

/**
 * The cursor behind a page. A transaction gets its id after it begins, and its event is published after that. So the events
 * of later transactions were published after the one at the position began. At the end of the feed the events to come are of
 * transactions from `xmin` on; if those began after the last visit, so did their events.
 */
export function cursorAfter(before: FeedCursor, page: ReadPage): FeedCursor {
  const { mark } = before;
  const sincePosition = Math.max(before.since, page.positionBeganAt ?? 0);
  if (page.hasMore) return { ...page.position, since: sincePosition, mark };
  const sinceVisit = mark !== null && BigInt(page.xmin) >= BigInt(mark.xmax) ? mark.at : 0;
  return {
    ...page.position,
    since: Math.max(sincePosition, sinceVisit),
    mark: { xmax: page.xmax, at: page.readAt },
  };
}

// 20 digits each for three numbers of 64 bits, 15 each for two times, and spaces, in base64url.
const CURSOR_CHARACTERS_MAX = 128;
const XID_MAX = 2n ** 64n - 1n;
const ID_MAX = 2n ** 63n - 1n;

export function encodeFeedCursor({ xid, id, since, mark }: FeedCursor): string {
  return Buffer.from([xid, id, since, mark?.xmax ?? 0, mark?.at ?? 0].join(" ")).toString("base64url");
}

/** Returns null for a text that `encodeFeedCursor` has not made. */
export function decodeFeedCursor(text: string): FeedCursor | null {
  if (text.length > CURSOR_CHARACTERS_MAX || !/^[\w-]+$/.test(text)) return null;
  const numbers = /^(\d{1,20}) (\d{1,19}) (\d{1,15}) (\d{1,20}) (\d{1,15})$/.exec(
    Buffer.from(text, "base64url").toString("latin1"),
  );
  if (numbers === null) return null;
  const [, xid = "", id = "", since = "", xmax = "", at = ""] = numbers;
  if (BigInt(xid) > XID_MAX || BigInt(id) > ID_MAX || BigInt(xmax) > XID_MAX) return null;
  return { xid, id, since: Number(since), mark: xmax === "0" ? null : { xmax, at: Number(at) } };
}
