// Limits how many requests of one tenant are in progress (interface §2), and its share of connections and uploads (interface §3),
// so that it delays only itself.
import { type AcquireSlot, ApiError, inFlightLimit, type RequestContext } from "@tradepost/http";
import { type CountLimited, rateLimited } from "../limits/limits.ts";

/** A pool gets at most `max` requests, so requests never queue inside it. */
export const CONNECTIONS = { max: 128, ofTenantMax: 32 };
/** A waiting connection uses little more than a socket on either side. */
export const WAITING_CONNECTIONS = { max: 1_024, ofTenantMax: 256 };
const UPLOADS_OF_TENANT_MAX = 8;
// One slow reader of a tenant's links does not delay the other readers.
const LINKS_OF_ADDRESS_MAX = CONNECTIONS.ofTenantMax / 2;

// A waiting request holds a body of up to 2 MiB.
const WAITING_MAX = 256;
const WAITING_OF_TENANT_MAX = 64;
const UPLOADS_WAITING_OF_TENANT_MAX = 16;
const WAIT_MS_MAX = 5_000;
const RETRY_AFTER_SECONDS = "2";
const ENTER_AGAIN_SECONDS = "1";

/** A queue for each tenant or address, so that a request delays nobody else. */
function ownShare(
  inProgressOfTenantMax: number,
  refusal: () => ApiError,
  waitingOfTenantMax = WAITING_OF_TENANT_MAX,
): AcquireSlot {
  const all = { inProgressMax: Number.POSITIVE_INFINITY, waitingMax: Number.POSITIVE_INFINITY };
  const limits = { ...all, inProgressOfTenantMax, waitingOfTenantMax, waitMsMax: WAIT_MS_MAX };
  return inFlightLimit(limits, refusal);
}

export type EnterTenant = ReturnType<typeof tenantConcurrency>;

/**
 * Waits for a slot, which is held until the response has been written, or throws 429. 0 means no limit. A waiting request holds no
 * connection to the database or to a service.
 */
export function tenantConcurrency(inProgressOfTenantMax: number, countLimited: CountLimited) {
  if (inProgressOfTenantMax === 0) return () => undefined;
  const acquire = ownShare(inProgressOfTenantMax, () => {
    countLimited("tenant_concurrency");
    return rateLimited("This tenant has too many requests in progress.", ENTER_AGAIN_SECONDS);
  });
  return (tenantId: string, { req, atEnd }: Pick<RequestContext, "req" | "atEnd">) => {
    const release = acquire(tenantId, req.socket);
    if (release instanceof Promise) return release.then(atEnd);
    atEnd(release);
  };
}

/** Throws 429 if the tenant has used its share, 503 if all connections are in use. */
export function connectionShares(limits: typeof CONNECTIONS, countLimited: CountLimited): AcquireSlot {
  return inFlightLimit(
    {
      inProgressMax: limits.max,
      inProgressOfTenantMax: limits.ofTenantMax,
      waitingMax: WAITING_MAX,
      waitingOfTenantMax: WAITING_OF_TENANT_MAX,
      waitMsMax: WAIT_MS_MAX,
    },
    (exhausted) => {
      countLimited(exhausted === "tenant" ? "tenant_connections" : "service_connections");
      if (exhausted === "tenant")
        return rateLimited("This tenant has too many requests in progress.", RETRY_AFTER_SECONDS);
      return new ApiError("service_unavailable", "The service for this path is busy; try again.", {
        headers: { "retry-after": RETRY_AFTER_SECONDS },
      });
    },
  );
}

export function linkShares(countLimited: CountLimited): AcquireSlot {
  return ownShare(LINKS_OF_ADDRESS_MAX, () => {
    countLimited("media_links");
    return rateLimited("This address has too many requests in progress.", RETRY_AFTER_SECONDS);
  });
}

export function uploadShares(countLimited: CountLimited): AcquireSlot {
  const refusal = () => {
    countLimited("tenant_uploads");
    return rateLimited("This tenant has too many uploads in progress.", RETRY_AFTER_SECONDS);
  };
  return ownShare(UPLOADS_OF_TENANT_MAX, refusal, UPLOADS_WAITING_OF_TENANT_MAX);
}
