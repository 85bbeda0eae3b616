// The query of GET /v1/orders/statistics (interface §19). Pure.
import { type FieldFault, invalid, shaped, storableTime, timeZone } from "@tradepost/http";
import { z } from "zod";
import { channels } from "../order/order.ts";
import { bucketStarts, units } from "./time-buckets.ts";

const time = shaped(storableTime.transform(firstMs), storableTime);

export const statisticsQuery = z.strictObject({
  from: time.describe("Orders that were placed at this time or later."),
  to: time.describe("Orders that were placed before this time."),
  by: z
    .enum(units, `must be one of ${units.join(", ")}`)
    .default("day")
    .describe("The length of a bucket; a week begins on Monday."),
  timeZone: timeZone
    .default("UTC")
    .describe("The IANA time zone whose days, weeks or months the buckets are, like `Europe/Lisbon`."),
  channel: z
    .enum(channels, `must be one of ${channels.join(", ")}`)
    .optional()
    .describe("Only orders that came in this way."),
});

type StatisticsQuery = z.output<typeof statisticsQuery>;

export type Range = ReturnType<typeof rangeOf>;

const BUCKETS_MAX = 400;

/** @throws 422 if `to` is not after `from`, or for more than 400 buckets. */
export function rangeOf(query: StatisticsQuery) {
  if (query.from >= query.to) throw invalid([fault("must be after `from`")]);
  const starts = bucketStarts(query, query.by, query.timeZone, BUCKETS_MAX);
  if (starts === null) throw invalid([fault(`must be within ${BUCKETS_MAX} buckets after \`from\``)]);
  return { ...query, starts };
}

function fault(message: string): FieldFault {
  return { path: "to", message };
}

/** Rounded up: orders have whole milliseconds. */
function firstMs(text: string): Date {
  const isBetween = /\.\d{3}\d*[1-9]/.test(text);
  return new Date(new Date(text).getTime() + (isBetween ? 1 : 0));
}
