// How much of the way to the services one tenant may take (contract §3): its slow or many requests delay only its own.
import { ApiError, places, type TakePlace } from "@tradepost/http";
import type { CountLimited } from "../rate-limit/count-limited.ts";
import { tooMany } from "../rate-limit/request-limit.ts";

/** To one service. The pool never gets more requests than this, so none waits in a queue of its own. */
export const CONNECTIONS_MAX = 128;
const CONNECTIONS_OF_TENANT_MAX = CONNECTIONS_MAX / 4;
const UPLOADS_OF_TENANT_MAX = 8;

// Each that waits for a connection holds a body of up to 2 MiB.
const WAITING_MAX = 256;
const WAITING_OF_TENANT_MAX = 64;
const UPLOADS_WAITING_OF_TENANT_MAX = 16;
const WAIT_MS_MAX = 5_000;
const RETRY_AFTER_SECONDS = "2";

/** Out: takes a connection to one service; throws 429 where the tenant has its share, 503 where all are taken. */
export function connectionShares(countLimited: CountLimited): TakePlace {
  return places(
    {
      inProgressMax: CONNECTIONS_MAX,
      inProgressOfTenantMax: CONNECTIONS_OF_TENANT_MAX,
      waitingMax: WAITING_MAX,
      waitingOfTenantMax: WAITING_OF_TENANT_MAX,
      waitMsMax: WAIT_MS_MAX,
    },
    (exhausted) => {
      countLimited(exhausted === "tenant" ? "tenant_connections" : "service_connections");
      if (exhausted === "tenant") return tooMany("Too many requests of this tenant.", RETRY_AFTER_SECONDS);
      return new ApiError("service_unavailable", "The service behind this path is busy; try again.", {
        headers: { "retry-after": RETRY_AFTER_SECONDS },
      });
    },
  );
}

/** Out: takes one of the tenant's uploads; throws 429. */
export function uploadShares(countLimited: CountLimited): TakePlace {
  return places(
    {
      inProgressMax: Number.POSITIVE_INFINITY,
      inProgressOfTenantMax: UPLOADS_OF_TENANT_MAX,
      waitingMax: Number.POSITIVE_INFINITY,
      waitingOfTenantMax: UPLOADS_WAITING_OF_TENANT_MAX,
      waitMsMax: WAIT_MS_MAX,
    },
    () => {
      countLimited("tenant_uploads");
      return tooMany("Too many uploads of this tenant are in progress.", RETRY_AFTER_SECONDS);
    },
  );
}
