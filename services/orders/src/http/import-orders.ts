// POST /v1/orders/bulk: imports up to 100 orders; `order.placed` for each.

import { ApiError, type ApiRequest, inFlightLimit } from "@tradepost/http";
import { withIdempotencyKey } from "@tradepost/idempotency";
import { writeImport } from "../order/write-import.ts";
import type { Orders } from "./context.ts";

// An import holds a database connection and locks its tenant's order numbers for seconds. So the imports of a tenant
// follow one another, waiting before they take a connection, and all imports together use at most 4 of 16 connections.
const LIMITS = {
  inProgressMax: 4,
  inProgressOfTenantMax: 1,
  // Each waiting import keeps a parsed body of about 10 MB in memory.
  waitingMax: 16,
  waitingOfTenantMax: 8,
  // Less than the gateway's timeout of 30 s.
  waitMsMax: 25_000,
};
const RETRY_AFTER = { headers: { "retry-after": "5" } };

export function importOrders({ tenants, onCommit, countPlaced }: Orders) {
  const acquire = inFlightLimit(LIMITS, (exhausted) =>
    exhausted === "tenant"
      ? new ApiError("rate_limited", "Too many imports of this tenant are in progress.", RETRY_AFTER)
      : new ApiError("service_unavailable", "Too many imports are in progress; try again.", RETRY_AFTER),
  );
  const write = withIdempotencyKey(
    tenants,
    async (tenant, request: ApiRequest<readonly unknown[], undefined>) => {
      const { response, channels } = await writeImport(tenant, request.body, request.idempotencyKey, request);
      onCommit();
      for (const channel of channels) countPlaced(channel);
      return response;
    },
  );
  return async (request: ApiRequest<readonly unknown[], undefined>) => {
    const release = await acquire(request.principal.tenantId, request.raw.socket);
    try {
      return await write(request);
    } finally {
      release();
    }
  };
}
