// GET /v1/audit-log: who did what, newest first, by action and by actor.
import { type Answer, type ApiRequest, cursorPage, listed, pageQuery } from "@tradepost/http";
import { z } from "zod";
import * as store from "../audit-log/audit-log-store.ts";
import type { Gateway } from "./context.ts";

export const auditQuery = z.strictObject({
  ...pageQuery,
  action: z.string().max(100).optional(),
  actorId: z.string().max(100).optional(),
});

export function listAuditLog({ db }: Gateway) {
  return async ({
    principal,
    query,
  }: ApiRequest<undefined, z.output<typeof auditQuery>>): Promise<Answer> => {
    const { items, nextCursor } = cursorPage(
      await store.listAuditLog(db, principal.tenantId, query),
      query.limit,
    );
    return listed({ items: items.map(({ shown }) => shown), nextCursor });
  };
}
