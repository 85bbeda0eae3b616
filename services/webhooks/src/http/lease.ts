// POST /v1/webhooks/listeners/{id}/lease: the requests of the next deliveries, signed. With `waitSeconds` it waits for the first.
import { type ApiRequest, type ApiResponse, notFound, ok } from "@tradepost/http";
import type { LeaseInput } from "../listeners/listeners.ts";
import type { Webhooks } from "./context.ts";

export function lease({ leases }: Webhooks) {
  return async ({ principal, id, body, raw }: ApiRequest<LeaseInput, undefined>): Promise<ApiResponse> => {
    const leased = await leases.lease({ tenantId: principal.tenantId, listenerId: id }, body, raw.socket);
    if (leased === null) throw notFound("listener");
    const data = leased.map(({ deliveryId, attempt, leasedUntil, headers, body: bytes }) => ({
      ...{ deliveryId, attempt, leasedUntil, headers },
      body: bytes.toString("utf8"),
    }));
    return ok(data, { "cache-control": "no-store" });
  };
}
