import { timestamp } from "@tradepost/http";
import { z } from "zod";

const time = timestamp.transform((text) => new Date(text));

export const recoverInput = z
  .strictObject({
    since: time.describe("Deliveries that failed at this time or later."),
    until: time.optional().describe("Deliveries that failed before this time. Now by default."),
    dryRun: z.boolean("must be true or false").default(false).describe("Whether to count them only."),
  })
  .refine(({ since, until }) => until === undefined || since < until, {
    path: ["until"],
    message: "must be after since",
  });
