// Where counts are kept: in this process, or in a Redis that all replicas share (RATE_LIMIT_REDIS_URL).
import type { Logger } from "@tradepost/runtime";
import { type RateLimiterAbstract, RateLimiterRedis } from "rate-limiter-flexible";
import { createClient } from "redis";
import { BoundedMemoryLimiter } from "./bounded-memory-limiter.ts";
import { bucketsInMemory, bucketsInRedis, type ChargeBucket } from "./bucket-store.ts";
import type { BucketSize } from "./token-bucket.ts";

export interface LimiterStore {
  /** A limiter of `points` in each window of `windowSeconds`; `name` keeps limiters apart. */
  limiter(name: string, points: number, windowSeconds: number): RateLimiterAbstract;
  /** Token buckets of one size, one for each key; `name` keeps them apart from others. */
  buckets(name: string, size: BucketSize): ChargeBucket;
  stop(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 2_000;

/** A Redis that cannot be reached lets each replica count for itself: it must not keep anyone out. */
export function openLimiterStore(redisUrl: string | undefined, logger: Logger): LimiterStore {
  if (redisUrl === undefined) {
    return {
      limiter: (keyPrefix, points, duration) => new BoundedMemoryLimiter({ keyPrefix, points, duration }),
      buckets: (_name, size) => bucketsInMemory(size),
      stop: async () => {},
    };
  }
  const client = createClient({
    url: redisUrl,
    disableOfflineQueue: true,
    socket: { connectTimeout: CONNECT_TIMEOUT_MS },
  });
  client.on("error", (error) =>
    logger.warn({ err: error }, "rate limits are not shared: Redis does not answer"),
  );
  // Reconnects by itself; the first connection need not be waited for.
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
    buckets: (name, size) => bucketsInRedis(client, name, size, logger),
    stop: async () => void client.destroy(),
  };
}
