import { pageQuery, storableTime } from "@tradepost/http";
import { z } from "zod";

export const eventsQuery = z.strictObject({
  ...pageQuery,
  type: z.string().max(255).optional(),
  resourceId: z.uuid("must be a UUID").optional(),
  createdAfter: storableTime.optional(),
  createdBefore: storableTime.optional(),
});

export type EventsQuery = z.output<typeof eventsQuery>;
