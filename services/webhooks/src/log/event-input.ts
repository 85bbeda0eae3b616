import { pageQuery, storableTime } from "@tradepost/http";
import { z } from "zod";

export const eventsQuery = z.strictObject({
  ...pageQuery,
  type: z.string().max(255).optional().describe("The event's type."),
  resourceId: z
    .uuid("must be a UUID")
    .optional()
    .describe("The id of a redirect, an entry or a media asset."),
  createdAfter: storableTime.optional().describe("Limits `occurredAt`; inclusive."),
  createdBefore: storableTime.optional().describe("Limits `occurredAt`; exclusive."),
});

export type EventsQuery = z.output<typeof eventsQuery>;
