import { z } from "zod";

const time = z.iso
  .datetime({
    offset: true,
    // `until` is compared with `since` only if both are times.
    abort: true,
    message: "must be an ISO 8601 time with its offset: 2026-01-31T00:00:00Z",
  })
  .transform((text) => new Date(text));

export const recoverInput = z
  .strictObject({
    since: time,
    until: time.optional(),
    dryRun: z.boolean("must be true or false").default(false),
  })
  .refine(({ since, until }) => until === undefined || since < until, {
    path: ["until"],
    message: "must be after since",
  });
