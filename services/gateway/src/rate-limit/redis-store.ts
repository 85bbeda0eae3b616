// Rate limiters that count in a Redis that all replicas share.
import type { Logger } from "@tradepost/runtime";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { createClient } from "redis";
import { BoundedMemoryLimiter } from "./bounded-memory-limiter.ts";
import { redisBuckets } from "./bucket-store.ts";
import type { LimiterStore } from "./limiter-store.ts";

const CONNECT_TIMEOUT_MS = 2_000;

/** The client reconnects by itself, so the first connection is not awaited. */
export function openRedisStore(redisUrl: string, logger: Logger): LimiterStore {
  const client = createClient({
    url: redisUrl,
    disableOfflineQueue: true,
    socket: { connectTimeout: CONNECT_TIMEOUT_MS },
  });
  client.on("error", (error) =>
    logger.warn({ err: error }, "Redis cannot be reached: rate limits are not shared"),
  );
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
