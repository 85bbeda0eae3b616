// The query of GET /v1/audit-log (interface §2).
import { pageQuery } from "@tradepost/http";
import { z } from "zod";

const time = z.iso
  .datetime({
    offset: true,
    error: "must be an ISO 8601 timestamp with its offset, like 2026-08-20T09:30:00Z",
  })
  .max(64, "must be at most 64 characters")
  .transform((text) => new Date(text));

export const auditQuery = z.strictObject({
  ...pageQuery,
  action: z.string().max(100).optional(),
  actorId: z.string().max(100).optional(),
  targetId: z.string().max(100).optional(),
  after: time.optional(),
  before: time.optional(),
});
