// The query of GET /v1/audit-log (interface §2).
import { pageQuery, timestamp } from "@tradepost/http";
import { z } from "zod";

const time = timestamp.max(64, "must be at most 64 characters").transform((text) => new Date(text));

export const auditQuery = z.strictObject({
  ...pageQuery,
  action: z.string().max(100).optional().describe("Only entries of this action, such as `api_key.created`."),
  actorId: z.string().max(100).optional().describe("Only what this key or user did."),
  targetId: z.string().max(100).optional().describe("Only what was done to this resource."),
  after: time.optional().describe("Inclusive."),
  before: time.optional().describe("Exclusive."),
});
