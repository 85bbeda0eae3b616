// Bounds the requests that read many past events of a tenant: previews of filters, and counts of replays (interface §18).
import { ApiError, type ApiRequest, inFlightLimit } from "@tradepost/http";
import { sql } from "kysely";
import type { Tenant } from "./tables.ts";

/** Rejects with 429 after 5 s of waiting, and with 503 if a statement takes longer than 2 s. */
export type ReadPastEvents = <Result>(
  tenant: Tenant,
  request: Pick<ApiRequest<unknown, undefined>, "raw">,
  read: (tx: Tenant) => Promise<Result>,
) => Promise<Result>;

// Per process.
const LIMITS = {
  inProgressMax: 4,
  inProgressOfTenantMax: 1,
  waitingMax: 256,
  waitingOfTenantMax: 32,
  waitMsMax: 5_000,
};
const STATEMENT_MS_MAX = 2_000;

export function readingPastEvents(): ReadPastEvents {
  const take = inFlightLimit(
    LIMITS,
    () =>
      new ApiError("rate_limited", "Other previews or counts of this tenant are in progress.", {
        headers: { "retry-after": "2" },
      }),
  );
  return async (tenant, { raw }, read) => {
    const release = await take(tenant.tenantId, raw.socket);
    try {
      return await tenant.transaction(async (tx) => {
        await sql`set local statement_timeout = ${sql.lit(STATEMENT_MS_MAX)}`.execute(tx.db);
        return await read(tx);
      });
    } finally {
      release();
    }
  };
}
