// Keyset pages, newest first: what the query may say, and the opaque cursor that says where the next page begins.
import { z } from "zod";
import { isUuid } from "./uuid.ts";

export interface Position {
  readonly createdAt: Date;
  readonly id: string;
}

export interface PageQuery {
  readonly limit: number;
  /** Rows strictly older than this, or the newest where null. */
  readonly cursor: Position | null;
}

/**
 * The query fields of every list: `limit` 1 to 100 (default 25) and `cursor`. Contract §1.
 * Spread them into a list's strict query schema beside its filters.
 */
export const pageQuery = {
  limit: z
    .string()
    .regex(/^\d{1,4}$/, "must be a number from 1 to 100")
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= 100, "must be a number from 1 to 100")
    .default(25),
  cursor: z
    .string()
    .transform((cursor, context) => {
      const position = decodeCursor(cursor);
      if (position === null) context.addIssue({ code: "custom", message: "is not a cursor of this list" });
      return position;
    })
    .default(null),
};

/**
 * In: up to `limit + 1` rows, newest first. Out: at most `limit` of them, and the cursor of the next page
 * or null where this is the last. The extra row is how the end is known without a COUNT.
 */
export function cursorPage<Row extends Position>(rows: readonly Row[], limit: number) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? encodeCursor(last) : null };
}

function encodeCursor({ createdAt, id }: Position): string {
  return Buffer.from(`${createdAt.toISOString()} ${id}`).toString("base64url");
}

// A cursor of ours has 82 characters: a time and a UUID in base64url.
const CURSOR_CHARACTERS_MAX = 100;

function decodeCursor(cursor: string): Position | null {
  if (cursor.length > CURSOR_CHARACTERS_MAX) return null;
  const [time = "", id = ""] = Buffer.from(cursor, "base64url").toString("latin1").split(" ");
  const createdAt = new Date(time);
  // Years of other than four digits are times to JavaScript, and errors to Postgres.
  const isTime =
    /^\d{4}-/.test(time) && !Number.isNaN(createdAt.getTime()) && createdAt.toISOString() === time;
  return isUuid(id) && isTime ? { createdAt, id } : null;
}
