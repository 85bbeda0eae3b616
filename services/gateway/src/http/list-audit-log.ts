// GET /v1/audit-log: who did what, newest first, by action, actor, target and time.
import { type ApiRequest, type ApiResponse, cursorPage, listed, pageQuery } from "@tradepost/http";
import { z } from "zod";
import * as store from "../audit-log/audit-log-store.ts";
import type { Gateway } from "./context.ts";

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

export function listAuditLog({ db }: Gateway) {
  return async ({
    principal,
    query,
  }: ApiRequest<undefined, z.output<typeof auditQuery>>): Promise<ApiResponse> => {
    const { items, nextCursor } = cursorPage(
      await store.listAuditLog(db, principal.tenantId, query),
      query.limit,
    );
    return listed({ items: items.map(({ shown }) => shown), nextCursor });
  };
}
