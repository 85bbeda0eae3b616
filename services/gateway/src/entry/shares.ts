// Limits how many requests of one tenant are in progress (interface §2), and its share of the connections to a service, of
// the uploads (interface §3) and of the bytes of files, so that its slow or numerous requests delay only its own requests.
import { Readable } from "node:stream";
import {
  type AcquireSlot,
  ApiError,
  type ApiResponse,
  discard,
  inFlightLimit,
  type RequestContext,
} from "@tradepost/http";
import { sleep } from "@tradepost/runtime";
import { type CountLimited, rateLimited } from "../limits/limits.ts";

interface ConnectionLimits {
  /** Connections to one service. The pool gets no more requests than this, so it queues none itself. */
  readonly max: number;
  readonly ofTenantMax: number;
}

export const CONNECTIONS: ConnectionLimits = { max: 128, ofTenantMax: 32 };
/** A request that waits for an event or a delivery uses a socket on either side and little else. */
export const WAITING_CONNECTIONS: ConnectionLimits = { max: 1_024, ofTenantMax: 256 };
const UPLOADS_OF_TENANT_MAX = 8;
// Less than a tenant's share, so that one slow reader of a tenant's links does not delay the others.
const LINKS_OF_ADDRESS_MAX = CONNECTIONS.ofTenantMax / 2;

// A request that waits for a connection holds a body of up to 2 MiB in memory.
const WAITING_MAX = 256;
const WAITING_OF_TENANT_MAX = 64;
const UPLOADS_WAITING_OF_TENANT_MAX = 16;
const WAIT_MS_MAX = 5_000;
const RETRY_AFTER_SECONDS = "2";
const ENTER_AGAIN_SECONDS = "1";

/** Counts the request as in progress until its response has been written. Waits for its turn, or throws 429. */
export type EnterTenant = (
  tenantId: string,
  context: Pick<RequestContext, "req" | "atEnd">,
) => Promise<void> | void;

/**
 * `inProgressOfTenantMax` is the limit for one tenant (TENANT_CONCURRENCY_MAX); 0 means no limit. A waiting request holds no
 * connection to the database or to a service.
 */
export function tenantConcurrency(inProgressOfTenantMax: number, countLimited: CountLimited): EnterTenant {
  if (inProgressOfTenantMax === 0) return () => undefined;
  const acquire = inFlightLimit(
    {
      inProgressMax: Number.POSITIVE_INFINITY,
      inProgressOfTenantMax,
      // Each tenant has its own limit, so a waiting request delays no other tenant.
      waitingMax: Number.POSITIVE_INFINITY,
      waitingOfTenantMax: WAITING_OF_TENANT_MAX,
      waitMsMax: WAIT_MS_MAX,
    },
    () => {
      countLimited("tenant_concurrency");
      return rateLimited("This tenant has too many requests in progress.", ENTER_AGAIN_SECONDS);
    },
  );
  return (tenantId, { req, atEnd }) => {
    const release = acquire(tenantId, req.socket);
    if (release instanceof Promise) return release.then(atEnd);
    atEnd(release);
  };
}

/** Takes a connection to one service. Throws 429 if the tenant has used its share, 503 if all connections are in use. */
export function connectionShares(limits: ConnectionLimits, countLimited: CountLimited): AcquireSlot {
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

/** Takes one of the links to media that one address may read at a time; throws 429 if the address reads too many. */
export function linkShares(countLimited: CountLimited): AcquireSlot {
  return inFlightLimit(
    {
      inProgressMax: Number.POSITIVE_INFINITY,
      inProgressOfTenantMax: LINKS_OF_ADDRESS_MAX,
      waitingMax: Number.POSITIVE_INFINITY,
      waitingOfTenantMax: WAITING_OF_TENANT_MAX,
      waitMsMax: WAIT_MS_MAX,
    },
    () => {
      countLimited("media_links");
      return rateLimited("This address has too many requests in progress.", RETRY_AFTER_SECONDS);
    },
  );
}

/** Takes one of the tenant's uploads; throws 429 if the tenant has too many. */
export function uploadShares(countLimited: CountLimited): AcquireSlot {
  return inFlightLimit(
    {
      inProgressMax: Number.POSITIVE_INFINITY,
      inProgressOfTenantMax: UPLOADS_OF_TENANT_MAX,
      waitingMax: Number.POSITIVE_INFINITY,
      waitingOfTenantMax: UPLOADS_WAITING_OF_TENANT_MAX,
      waitMsMax: WAIT_MS_MAX,
    },
    () => {
      countLimited("tenant_uploads");
      return rateLimited("This tenant has too many uploads in progress.", RETRY_AFTER_SECONDS);
    },
  );
}

/** Limits how fast a response that is streamed leaves this process. */
export type PaceFile = (tenantId: string, response: ApiResponse) => ApiResponse;

// Copying 240 MB a second takes most of the process's only thread.
const FILE_BYTES_PER_MS = 32 * 1024;
// A file up to this size is not delayed if the tenant's others have left it room.
const FILE_BURST_MS = 250;

/** All files of a tenant share one rate, with and without a key. */
export function filePace({ now, wait } = { now: () => performance.now(), wait: sleep }): PaceFile {
  /** The time at which the bytes that have left would have left at the rate. */
  const paidUntil = new Map<string, number>();

  async function* paced(tenantId: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of chunks) {
        const at = now();
        const from = Math.max(paidUntil.get(tenantId) ?? 0, at - FILE_BURST_MS);
        paidUntil.set(tenantId, from + chunk.length / FILE_BYTES_PER_MS);
        if (from > at) await wait(from - at);
        yield chunk;
      }
    } finally {
      if ((paidUntil.get(tenantId) ?? 0) < now() - FILE_BURST_MS) paidUntil.delete(tenantId);
    }
  }

  return (tenantId, response) => {
    const { stream } = response;
    if (stream === undefined) return response;
    const slower = Readable.from(paced(tenantId, stream), { objectMode: false });
    // If nothing was read, as after a HEAD, the generator has not begun and does not end the stream.
    slower.once("close", () => discard(stream));
    return { ...response, stream: slower };
  };
}
