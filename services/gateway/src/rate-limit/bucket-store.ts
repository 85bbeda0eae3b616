// Holds the token buckets, in this process or in a Redis that all replicas share. If Redis fails or is slow, each replica
// counts for itself.
import { type Logger, withDeadline } from "@tradepost/runtime";
import { type BucketSize, type BucketState, type Charge, charge, msOf } from "./token-bucket.ts";

/** Charges the bucket of a key; see `token-bucket.ts`. */
export type ChargeBucket = (key: string, toCharge: Charge) => BucketState | Promise<BucketState>;

/** The part of a Redis client that is used here. */
export interface RedisScripts {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

// A full bucket needs no entry, so the entries of full buckets are deleted this often.
const DELETE_FULL_EVERY_MS = 10_000;

/** Buckets in this process. One entry for each caller of the last few seconds. */
export function memoryBuckets(size: BucketSize): ChargeBucket {
  const fullAt = new Map<string, number>();
  let deletedAt = performance.now();
  return (key, toCharge) => {
    const now = performance.now();
    if (now - deletedAt > DELETE_FULL_EVERY_MS) {
      deletedAt = now;
      for (const [each, at] of fullAt) if (at <= now) fullAt.delete(each);
    }
    const state = charge(size, Math.max(0, (fullAt.get(key) ?? 0) - now), toCharge);
    if (state.isAdmitted) fullAt.set(key, now + state.msUntilFull);
    return state;
  };
}

// Uses the clock of Redis, because the clocks of the replicas may differ. Times are in microseconds, which Lua's numbers
// hold exactly.
const CHARGE = `
  local time = redis.call('time')
  local now = time[1] * 1000000 + time[2]
  local full_at = tonumber(redis.call('get', KEYS[1]) or now)
  if full_at < now then full_at = now end
  local is_admitted = full_at - now <= tonumber(ARGV[1])
  if is_admitted then
    full_at = full_at + tonumber(ARGV[2])
    redis.call('set', KEYS[1], string.format('%.0f', full_at), 'PX', math.ceil((full_at - now) / 1000))
  end
  return { is_admitted and 1 or 0, string.format('%.0f', full_at - now) }`;

// More tokens than any debt, and a number that Lua holds.
const ANY_DEBT = 1e9;

// Redis may accept a command and not respond.
const REDIS_TIMEOUT_MS = 250;

/** Buckets that all replicas share; in memory while Redis does not respond in time. */
export function redisBuckets(
  client: RedisScripts,
  name: string,
  size: BucketSize,
  logger: Logger,
): ChargeBucket {
  const fallback = memoryBuckets(size);
  const microsecondsOf = (tokens: number) => Math.ceil(msOf(size, tokens) * 1000);
  return async (key, toCharge) => {
    const { cost, tokensNeeded } = toCharge;
    const debtMax = tokensNeeded === "none" ? ANY_DEBT : size.capacity - tokensNeeded;
    try {
      const charging = client.eval(CHARGE, {
        keys: [`tradepost:${name}:${key}`],
        arguments: [microsecondsOf(debtMax), microsecondsOf(cost)].map(String),
      });
      const result = await withDeadline(charging, REDIS_TIMEOUT_MS, "Redis took too long");
      const [isAdmitted, microseconds] = result as [number, string];
      return { isAdmitted: isAdmitted === 1, msUntilFull: Number(microseconds) / 1000 };
    } catch (error) {
      logger.debug({ err: error }, "Redis failed: a rate limit is counted in this process only");
      return fallback(key, toCharge);
    }
  };
}
