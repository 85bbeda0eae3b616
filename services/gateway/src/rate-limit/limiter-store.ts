import type { RateLimiterAbstract } from "rate-limiter-flexible";
import type { ChargeBucket } from "./bucket-store.ts";
import type { BucketSize } from "./token-bucket.ts";

/** Where the limits count. */
export interface LimiterStore {
  /** A limiter of `points` in each window of `windowSeconds`. Each limiter has its own `name`. */
  limiter(name: string, points: number, windowSeconds: number): RateLimiterAbstract;
  /** Token buckets of one size, one for each key. Each set of buckets has its own `name`. */
  buckets(name: string, size: BucketSize): ChargeBucket;
  stop(): Promise<void>;
}
