// Where buckets are kept: in this process, or in a Redis that all replicas share. A Redis that fails or is slow lets
// each replica count for itself.
import type { Logger } from "@tradepost/runtime";
import { type BucketSize, type BucketState, type Charge, charge, msOf } from "./token-bucket.ts";

/** Charges the bucket of a key; see `token-bucket.ts`. */
export type ChargeBucket = (key: string, toCharge: Charge) => BucketState | Promise<BucketState>;

/** What this module uses of a Redis client. */
export interface RedisScripts {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

// A full bucket is the same as none, so those are forgotten from time to time.
const FORGET_EVERY_MS = 10_000;

/** Out: buckets in this process. Their number is that of the callers of the last seconds. */
export function bucketsInMemory(size: BucketSize): ChargeBucket {
  const fullAt = new Map<string, number>();
  let forgottenAt = performance.now();
  return (key, toCharge) => {
    const now = performance.now();
    if (now - forgottenAt > FORGET_EVERY_MS) {
      forgottenAt = now;
      for (const [each, at] of fullAt) if (at <= now) fullAt.delete(each);
    }
    const state = charge(size, Math.max(0, (fullAt.get(key) ?? 0) - now), toCharge);
    if (state.isAdmitted) fullAt.set(key, now + state.msUntilFull);
    return state;
  };
}

// The clock is Redis's: replicas need not agree on theirs. Microseconds, in which Lua's numbers are exact.
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

const REDIS_TIMEOUT_MS = 250;

/** Out: buckets that all replicas share; in memory while Redis does not answer in time. */
export function bucketsInRedis(
  client: RedisScripts,
  name: string,
  size: BucketSize,
  logger: Logger,
): ChargeBucket {
  const alone = bucketsInMemory(size);
  const microsecondsOf = (tokens: number) => Math.ceil(msOf(size, tokens) * 1000);
  return async (key, toCharge) => {
    const { cost, tokensNeeded } = toCharge;
    try {
      const [isAdmitted, microseconds] = (await inTime(
        client.eval(CHARGE, {
          keys: [`tradepost:${name}:${key}`],
          arguments: [microsecondsOf(size.capacity - tokensNeeded), microsecondsOf(cost)].map(String),
        }),
      )) as [number, string];
      return { isAdmitted: isAdmitted === 1, msUntilFull: Number(microseconds) / 1000 };
    } catch (error) {
      logger.debug({ err: error }, "a rate limit is counted in this process only");
      return alone(key, toCharge);
    }
  };
}

/** Rejects where Redis accepts the command and stays silent. */
async function inTime<Result>(result: Promise<Result>): Promise<Result> {
  let clock: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    clock = setTimeout(() => reject(new Error("Redis took too long")), REDIS_TIMEOUT_MS);
  });
  try {
    return await Promise.race([result, tooLate]);
  } finally {
    clearTimeout(clock);
  }
}
