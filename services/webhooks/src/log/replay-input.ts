// The body of a request for a replay (interface §18). Pure.
import { shaped, timestamp } from "@tradepost/http";
import { z } from "zod";
import { deliveryOutcomes } from "../delivery-status.ts";
import { eventTypesInput } from "../event-filter.ts";

const time = timestamp.transform((text) => new Date(text));
const STATUS_CODE = "must be an HTTP status code";

const dryRun = z.boolean("must be true or false").default(false).describe("Whether to count them only.");

const endsAfterStart = ({ since, until }: { since: Date; until?: Date | undefined }) =>
  until === undefined || since < until;
const AFTER_SINCE = { path: ["until"], message: "must be after since" };

export const recoverInput = z
  .strictObject({
    since: time.describe("Deliveries that failed at this time, in the past, or later."),
    until: time.optional().describe("Deliveries that failed before this time. Now by default."),
    dryRun,
  })
  .refine(endsAfterStart, AFTER_SINCE);

const narrowing = (more: readonly string[] | undefined) => ({
  types: eventTypesInput(more).optional().describe("Only events of these types."),
  outcome: z
    .enum(deliveryOutcomes, `must be one of ${deliveryOutcomes.join(", ")}`)
    .optional()
    .describe("Of the latest attempt, or of deliveries that waited too long."),
  statusCode: z
    .int(STATUS_CODE)
    .min(100, STATUS_CODE)
    .max(999, STATUS_CODE)
    .optional()
    .describe("Only deliveries whose latest attempt got this status."),
  resourceId: shaped(
    z.uuid("must be a UUID").transform((id) => id.toLowerCase()),
    z.uuid(),
  )
    .optional()
    .describe("Only events of this entry, media asset, redirect or order."),
});

export const replayInput = (more: readonly string[] | undefined) =>
  z
    .strictObject({
      since: time.describe(
        "In the past, inclusive; of the failure with `include: failed`, otherwise of the event.",
      ),
      until: time.optional().describe("Exclusive. Now by default."),
      include: z
        .enum(["failed", "missing", "all"], "must be one of failed, missing, all")
        .describe(
          "`failed`: deliveries that failed. `missing`: events that the subscription wants today and has no delivery of. `all`: both, and what was delivered.",
        ),
      ...narrowing(more),
      dryRun,
    })
    .refine(endsAfterStart, AFTER_SINCE);

export type Narrowing = z.output<z.ZodObject<ReturnType<typeof narrowing>>>;

export interface Selection extends Narrowing {
  readonly include: "failed" | "missing" | "all";
  readonly since: Date;
  /** Exclusive; now if missing or in the future. */
  readonly until?: Date | undefined;
}
