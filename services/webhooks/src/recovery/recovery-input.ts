import { timestamp } from "@tradepost/http";
import { z } from "zod";

const time = timestamp.transform((text) => new Date(text));

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
