// Limits how many requests of one tenant are in progress at a time in this gateway (contract §2,
// TENANT_CONCURRENCY_MAX). A request that waits holds no connection to the database or to a service.
import { places, type RequestContext } from "@tradepost/http";
import type { CountLimited } from "./count-limited.ts";
import { tooMany } from "./request-limit.ts";

const WAITING_OF_TENANT_MAX = 64;
const WAIT_MS_MAX = 5_000;
const RETRY_AFTER_SECONDS = "1";

/** Takes a place for the request until its response has been written; throws 429. */
export type TakeTurn = (
  tenantId: string,
  context: Pick<RequestContext, "req" | "atEnd">,
) => Promise<void> | void;

/** In: requests of one tenant in progress at a time, 0 for no limit. */
export function tenantConcurrency(inProgressOfTenantMax: number, countLimited: CountLimited): TakeTurn {
  if (inProgressOfTenantMax === 0) return () => undefined;
  const takePlace = places(
    {
      inProgressMax: Number.POSITIVE_INFINITY,
      inProgressOfTenantMax,
      // Each tenant has a bound of its own, and a tenant that waits takes nothing from another.
      waitingMax: Number.POSITIVE_INFINITY,
      waitingOfTenantMax: WAITING_OF_TENANT_MAX,
      waitMsMax: WAIT_MS_MAX,
    },
    () => {
      countLimited("tenant_concurrency");
      return tooMany("Too many requests of this tenant are in progress.", RETRY_AFTER_SECONDS);
    },
  );
  return (tenantId, { req, atEnd }) => {
    const place = takePlace(tenantId, req.socket);
    if (place instanceof Promise) return place.then(atEnd);
    atEnd(place);
  };
}
