// Limits the memory of responses in progress, for each tenant and in total (interface §1).
//
// A response that is built in memory takes a slot before its data is read, and holds it until it has been written, because its
// bytes stay in this process while a slow client reads. A slot stands for the size of the largest page, so the number of slots
// bounds the bytes. A small response is written at once and frees its slot at once.
import { ApiError } from "./api-error.ts";
import { type AcquireSlot, inFlightLimit } from "./in-flight-limit.ts";

// A page of 2 MiB takes about 10 MiB while it is built: rows, texts, and the bytes to write.
const OF_TENANT_MAX = 8;
// Delaying other tenants takes four tenants with slow readers. The gateway's connections have the same ratio.
const IN_PROGRESS_MAX = 32;
// A request that waits for a slot holds little else. The gateway has fewer connections than this.
const WAITING_MAX = 1_024;
const WAITING_OF_TENANT_MAX = 256;
const WAIT_MS_MAX = 5_000;
const RETRY_AFTER_SECONDS = "2";

/**
 * Returns the function that takes a slot for a response. It rejects with 429 `rate_limited` if no slot becomes free within 5 s.
 */
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
