// Bounds the bytes of responses in progress, for each tenant and in total (interface §1).
//
// A response that is made in memory takes one slot before its data is read, and holds it until it has been written: a reader
// that is slow keeps its bytes in this process. A slot stands for the bytes of the largest page, so the bytes follow from the
// number of slots. A small response is written at once, and frees its slot at once.
import { ApiError } from "./api-error.ts";
import { type AcquireSlot, inFlightLimit } from "./in-flight-limit.ts";

// A page of 2 MiB takes about 10 MiB while it is made: rows, texts, and bytes to write.
const OF_TENANT_MAX = 8;
// So four tenants with slow readers are needed to delay others, as for the connections from the gateway.
const IN_PROGRESS_MAX = 32;
// A request that waits for a slot holds little else; the gateway has fewer connections than this.
const WAITING_MAX = 1_024;
const WAITING_OF_TENANT_MAX = 256;
const WAIT_MS_MAX = 5_000;
const RETRY_AFTER_SECONDS = "2";

/** Takes a slot for a response. Rejects with 429 `rate_limited` if none becomes free in 5 s. */
export function responseSlots(): AcquireSlot {
  return inFlightLimit(
    {
      inProgressMax: IN_PROGRESS_MAX,
      inProgressOfTenantMax: OF_TENANT_MAX,
      waitingMax: WAITING_MAX,
      waitingOfTenantMax: WAITING_OF_TENANT_MAX,
      waitMsMax: WAIT_MS_MAX,
    },
    (exhausted) =>
      new ApiError(
        "rate_limited",
        exhausted === "tenant"
          ? "This tenant has too many responses in progress."
          : "The service has too many responses in progress; try again.",
        { headers: { "retry-after": RETRY_AFTER_SECONDS } },
      ),
  );
}
