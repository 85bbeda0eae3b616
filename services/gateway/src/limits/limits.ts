// The door of this wing. Every limit on how often something may happen is a set of buckets, in this process or in a shared
// Redis (RATE_LIMIT_REDIS_URL).
import { ApiError } from "@tradepost/http";
import type { Logger, Metrics } from "@tradepost/runtime";
import { type BucketStore, memoryStore } from "./bucket-store.ts";

export type { BucketStore } from "./bucket-store.ts";
export {
  type BucketState,
  type Charge,
  ONE,
  ONE_BACK,
  READ,
  type SteadySize,
  secondsUntilAdmitted,
  tokensLeft,
} from "./token-bucket.ts";

export interface Limits extends BucketStore {
  readonly countLimited: CountLimited;
}

/** While Redis cannot be reached, each replica counts for itself. A test passes the store. */
export async function openLimits(
  redisUrl: string | undefined,
  metrics: Metrics,
  logger: Logger,
  given?: BucketStore,
): Promise<Limits> {
  const store = given ?? (redisUrl === undefined ? memoryStore() : await openRedis(redisUrl, logger));
  return { ...store, countLimited: countLimited(metrics) };
}

/** The client needs 20 MB and a fifth of the time of a start. */
async function openRedis(redisUrl: string, logger: Logger): Promise<BucketStore> {
  const { redisStore } = await import("./redis-buckets.ts");
  return redisStore(redisUrl, logger);
}

type LimitName =
  | "rate"
  | "tenant_rate"
  | "tenant_concurrency"
  | "tenant_uploads"
  | "tenant_connections"
  | "media_links"
  | "service_connections"
  | "sign_in"
  | "password_hash"
  | "taken_emails";

export type CountLimited = (limit: LimitName) => void;

function countLimited(metrics: Metrics): CountLimited {
  const counter = metrics.counter("requests_limited_total", "Requests refused by a limit.", ["limit"]);
  return (limit) => counter.inc({ limit });
}

export function rateLimited(message: string, retryAfterSeconds: string): ApiError {
  return new ApiError("rate_limited", message, { headers: { "retry-after": retryAfterSeconds } });
}
