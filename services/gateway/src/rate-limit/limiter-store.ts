// Creates rate limiters that count in this process, or in a Redis that all replicas share (RATE_LIMIT_REDIS_URL).
import type { Logger } from "@tradepost/runtime";
import { type RateLimiterAbstract, RateLimiterRedis } from "rate-limiter-flexible";
import { createClient } from "redis";
import { BoundedMemoryLimiter } from "./bounded-memory-limiter.ts";
import { type ChargeBucket, memoryBuckets, redisBuckets } from "./bucket-store.ts";
import type { BucketSize } from "./token-bucket.ts";

export interface LimiterStore {
  /** A limiter of `points` in each window of `windowSeconds`. Each limiter has its own `name`. */
  limiter(name: string, points: number, windowSeconds: number): RateLimiterAbstract;
  /** Token buckets of one size, one for each key. Each set of buckets has its own `name`. */
  buckets(name: string, size: BucketSize): ChargeBucket;
  stop(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 2_000;

/** While Redis cannot be reached, each replica counts for itself, so that no caller is refused because of it. */
export function openLimiterStore(redisUrl: string | undefined, logger: Logger): LimiterStore {
  if (redisUrl === undefined) {
    return {
      limiter: (keyPrefix, points, duration) => new BoundedMemoryLimiter({ keyPrefix, points, duration }),
      buckets: (_name, size) => memoryBuckets(size),
      stop: async () => {},
    };
  }
  const client = createClient({
    url: redisUrl,
    disableOfflineQueue: true,
    socket: { connectTimeout: CONNECT_TIMEOUT_MS },
  });
  client.on("error", (error) =>
    logger.warn({ err: error }, "Redis cannot be reached: rate limits are not shared"),
  );
  // The client reconnects by itself, so the first connection is not awaited.
  void client.connect().catch(() => undefined);
  return {
    limiter: (keyPrefix, points, duration) =>
      new RateLimiterRedis({
        storeClient: client,
        useRedisPackage: true,
        keyPrefix: `tradepost:${keyPrefix}`,
        points,
        duration,
        insuranceLimiter: new BoundedMemoryLimiter({ keyPrefix, points, duration }),
      }),
    buckets: (name, size) => redisBuckets(client, name, size, logger),
    stop: async () => void client.destroy(),
  };
}
