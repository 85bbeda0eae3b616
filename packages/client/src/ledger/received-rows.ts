// Reads the rows of a receiver's table and computes the digests of a day and its hours, in the same way as the platform. Pure.
import { createHash } from "node:crypto";

/** A delivery that the receiver has accepted. */
export interface ReceivedRow {
  /** The delivery's id: `X-service-Delivery`, and the `id` of the body. */
  readonly id: string;
  /** The event's time, `X-service-Event-Time`: a Date, or ISO 8601 text with an offset. */
  readonly occurredAt: Date | string;
}

/** The rows of a day. A repeated id counts once. */
export interface ReceivedDay {
  /** Each id with its hour, such as `2026-11-24T09`. */
  readonly hourOf: ReadonlyMap<string, string>;
  readonly digest: string;
  digestOfHour(hour: string): string;
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HAS_OFFSET = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:?\d\d)$/i;
const DAY_LENGTH = "2026-11-24".length;
const HOUR_LENGTH = "2026-11-24T09".length;

/**
 * Returns the ledger digest of these delivery ids, in any order (interface §18): the sum modulo 2^256 of the SHA-256 of each id,
 * in hexadecimal. A repeated id counts once.
 * @throws a TypeError for a text that is not a delivery id.
 */
export function ledgerDigest(ids: Iterable<string>): string {
  let sum = 0n;
  for (const id of new Set(Array.from(ids, deliveryId))) sum += numberOf(id);
  return digestText(sum);
}

/** Reads the rows of the day, and skips the others. Rejects with a TypeError if a row lacks its delivery id or its time. */
export async function readRows(
  rows: AsyncIterable<ReceivedRow> | Iterable<ReceivedRow>,
  day: string,
): Promise<ReceivedDay> {
  const hourOf = new Map<string, string>();
  for await (const { id, occurredAt } of rows) {
    const time = timeOf(occurredAt);
    const key = deliveryId(id);
    if (time.slice(0, DAY_LENGTH) === day && !hourOf.has(key)) hourOf.set(key, time.slice(0, HOUR_LENGTH));
  }
  const byHour = new Map<string, bigint>();
  for (const [id, hour] of hourOf) byHour.set(hour, (byHour.get(hour) ?? 0n) + numberOf(id));
  const total = [...byHour.values()].reduce((sum, one) => sum + one, 0n);
  return { hourOf, digest: digestText(total), digestOfHour: (hour) => digestText(byHour.get(hour) ?? 0n) };
}

/** Some databases print UUIDs in upper case. */
function deliveryId(id: string): string {
  const text = typeof id === "string" ? id.toLowerCase() : "";
  if (!ID.test(text)) throw new TypeError(`id: must be the UUID of a delivery, not ${JSON.stringify(id)}`);
  return text;
}

/** Refuses a text without an offset, which would be read as local time. */
function timeOf(occurredAt: Date | string): string {
  const isComplete = occurredAt instanceof Date || HAS_OFFSET.test(occurredAt);
  const time = new Date(isComplete ? occurredAt : Number.NaN);
  if (Number.isNaN(time.getTime()))
    throw new TypeError("occurredAt: must be a Date, or a text such as 2026-11-24T09:30:00.000Z");
  return time.toISOString();
}

function numberOf(id: string): bigint {
  return BigInt(`0x${createHash("sha256").update(id).digest("hex")}`);
}

function digestText(sum: bigint): string {
  return BigInt.asUintN(256, sum).toString(16).padStart(64, "0");
}
