// GET /v1/audit-log: lists audit entries, newest first, filtered by action, actor, target and time.
import { type ApiRequest, type ApiResponse, cursorPage, listed } from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import type { z } from "zod";
import * as store from "../audit-log/audit-log-store.ts";
import type { auditQuery } from "../audit-log/audit-query.ts";
import type { Gateway } from "./context.ts";

export function listAuditLog({ db }: Gateway) {
  return async ({
    principal,
    query,
  }: ApiRequest<undefined, z.output<typeof auditQuery>>): Promise<ApiResponse> => {
    const rows = await store.listAuditLog(tenantOf(db, principal.tenantId), query);
    return listed(cursorPage(rows, query.limit, { shown: ({ shown }) => shown }));
  };
}
