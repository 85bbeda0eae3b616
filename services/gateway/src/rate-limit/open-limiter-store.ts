// Creates rate limiters that count in this process, or in a Redis that all replicas share (RATE_LIMIT_REDIS_URL).
import type { Logger } from "@tradepost/runtime";
import { BoundedMemoryLimiter } from "./bounded-memory-limiter.ts";
import { memoryBuckets } from "./bucket-store.ts";
import type { LimiterStore } from "./limiter-store.ts";

/** While Redis cannot be reached, each replica counts for itself, so that no caller is refused because of it. */
export async function openLimiterStore(redisUrl: string | undefined, logger: Logger): Promise<LimiterStore> {
  if (redisUrl === undefined) {
    return {
      limiter: (keyPrefix, points, duration) => new BoundedMemoryLimiter({ keyPrefix, points, duration }),
      buckets: (_name, size) => memoryBuckets(size),
      stop: async () => {},
    };
  }
  // Loaded only if it is used: Redis's client needs 20 MB and a fifth of the time of a start.
  const { openRedisStore } = await import("./redis-store.ts");
  return openRedisStore(redisUrl, logger);
}
