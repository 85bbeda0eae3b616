// The query parameters of a change feed (interface §10).
import { numberIn, pageQuery, shaped } from "@tradepost/http";
import { z } from "zod";
import { decodeFeedCursor, type FeedCursor } from "./feed-cursor.ts";

export interface FeedQuery {
  /** Null starts at the oldest event that is kept, "now" at the end. */
  readonly after: FeedCursor | "now" | null;
  readonly types: readonly string[] | null;
  readonly limit: number;
  readonly waitSeconds: number;
}

const WAIT_SECONDS_MAX = 25;

/** Returns the schema of the query of a feed with these event types (interface §10). */
export function feedQuery(types: readonly string[]): z.ZodType<FeedQuery> {
  return z.strictObject({
    after: shaped(
      z
        .string()
        .transform((text, context) => {
          const cursor = text === "now" ? "now" : decodeFeedCursor(text);
          if (cursor === null) {
            context.addIssue({ code: "custom", message: 'is neither a cursor of this feed nor "now"' });
          }
          return cursor;
        })
        .default(null),
      z
        .string()
        .optional()
        .describe("A `page.nextCursor`, or `now` for the end; by default the oldest event that is kept."),
    ),
    types: shaped(
      z
        .string()
        .transform((text, context) => {
          const wanted = text.split(",").map((type) => type.trim());
          const unknown = wanted.filter((type) => !types.includes(type));
          if (unknown.length > 0) {
            const message = `must be a list, separated by commas, of ${types.join(", ")}`;
            context.addIssue({ code: "custom", message });
          }
          return [...new Set(wanted)];
        })
        .nullable()
        .default(null),
      z
        .array(z.enum(types))
        .min(1)
        .optional()
        .describe("Only events of these types, separated by commas. All types by default."),
    ),
    limit: pageQuery.limit,
    waitSeconds: numberIn(
      0,
      WAIT_SECONDS_MAX,
      0,
      "If there is no event, the response waits at most this long for the first one.",
    ),
  });
}
