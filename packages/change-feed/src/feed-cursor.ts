// A position in a tenant's feed, and its opaque text (interface §10). Pure.

/** Text, because a transaction's id has 64 bits, and a double has 53. */
export interface FeedPosition {
  /** The transaction of the last event read, "0" before the first. */
  readonly xid: string;
  /** The event's number in the outbox. */
  readonly id: string;
}

/** The place after which a reader goes on. */
export interface FeedCursor extends FeedPosition {
  /** When the feed was last read up to here, in ms since the epoch: later events are still to come. */
  readonly readAt: number;
}

/** Before the first event. */
export const START: FeedPosition = { xid: "0", id: "0" };

// 20 digits each for two numbers of 64 bits, 13 for the time, and spaces.
const CURSOR_CHARACTERS_MAX = 80;
const XID_MAX = 2n ** 64n - 1n;
const ID_MAX = 2n ** 63n - 1n;

export function encodeFeedCursor({ xid, id, readAt }: FeedCursor): string {
  return Buffer.from(`${xid} ${id} ${readAt}`).toString("base64url");
}

/** Returns null for a text that `encodeFeedCursor` has not made. */
export function decodeFeedCursor(text: string): FeedCursor | null {
  if (text.length > CURSOR_CHARACTERS_MAX || !/^[\w-]+$/.test(text)) return null;
  const numbers = /^(\d{1,20}) (\d{1,19}) (\d{1,15})$/.exec(
    Buffer.from(text, "base64url").toString("latin1"),
  );
  if (numbers === null) return null;
  const [, xid = "", id = "", readAt = ""] = numbers;
  if (BigInt(xid) > XID_MAX || BigInt(id) > ID_MAX) return null;
  return { xid, id, readAt: Number(readAt) };
}
