// Limits how many requests of one tenant are in progress at a time in this gateway (interface §2, TENANT_CONCURRENCY_MAX).
// A waiting request holds no connection to the database or to a service.
import { inFlightLimit, type RequestContext } from "@tradepost/http";
import type { CountLimited } from "./count-limited.ts";
import { rateLimited } from "./rate-limited.ts";

const WAITING_OF_TENANT_MAX = 64;
const WAIT_MS_MAX = 5_000;
const RETRY_AFTER_SECONDS = "1";

/** Counts the request as in progress until its response has been written. Waits for its turn, or throws 429. */
export type EnterTenant = (
  tenantId: string,
  context: Pick<RequestContext, "req" | "atEnd">,
) => Promise<void> | void;

/** `inProgressOfTenantMax` is the limit for one tenant; 0 means no limit. */
export function tenantConcurrency(inProgressOfTenantMax: number, countLimited: CountLimited): EnterTenant {
  if (inProgressOfTenantMax === 0) return () => undefined;
  const acquire = inFlightLimit(
    {
      inProgressMax: Number.POSITIVE_INFINITY,
      inProgressOfTenantMax,
      // Each tenant has its own limit, and a waiting tenant takes nothing from another.
      waitingMax: Number.POSITIVE_INFINITY,
      waitingOfTenantMax: WAITING_OF_TENANT_MAX,
      waitMsMax: WAIT_MS_MAX,
    },
    () => {
      countLimited("tenant_concurrency");
      return rateLimited("This tenant has too many requests in progress.", RETRY_AFTER_SECONDS);
    },
  );
  return (tenantId, { req, atEnd }) => {
    const release = acquire(tenantId, req.socket);
    if (release instanceof Promise) return release.then(atEnd);
    atEnd(release);
  };
}
