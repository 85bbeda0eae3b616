// Token buckets in a Redis that all replicas share.
import { type Logger, withDeadline } from "@tradepost/runtime";
import { createClient } from "redis";
import { type BucketStore, type ChargeBucket, memoryBuckets } from "./bucket-store.ts";
import { type BucketSize, type Charge, msOf } from "./token-bucket.ts";

const CONNECT_TIMEOUT_MS = 2_000;

/** The client reconnects by itself, so the first connection is not awaited. */
export function redisStore(redisUrl: string, logger: Logger): BucketStore {
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
    buckets: (name, size) => redisBuckets(client, name, size, logger),
    stop: async () => void client.destroy(),
  };
}

// Both scripts use the clock of Redis. They return whether the charge was admitted, and the microseconds until the bucket is
// full, which Lua's numbers hold exactly.

/** KEYS: the bucket. ARGV: the highest admitted debt, and the charge, in microseconds to refill. */
const CHARGE_STEADY = `
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

/** KEYS: the bucket. ARGV: the most tokens taken before the charge, the charge, and the window in ms. */
const CHARGE_WINDOW = `
  local taken = tonumber(redis.call('get', KEYS[1]) or 0)
  local is_admitted = taken <= tonumber(ARGV[1])
  if is_admitted and ARGV[2] ~= '0' then
    if taken + tonumber(ARGV[2]) <= 0 then redis.call('del', KEYS[1])
    elseif taken > 0 then redis.call('incrby', KEYS[1], ARGV[2])
    else redis.call('set', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
  end
  return { is_admitted and 1 or 0, string.format('%.0f', math.max(0, redis.call('pttl', KEYS[1])) * 1000) }`;

// More than any debt.
const ANY_DEBT = 1e9;

// Redis may accept a command and never respond.
const REDIS_TIMEOUT_MS = 250;

interface RedisScripts {
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

function redisBuckets(client: RedisScripts, name: string, size: BucketSize, logger: Logger): ChargeBucket {
  const fallback = memoryBuckets(size);
  const isWindow = "windowSeconds" in size;
  const script = isWindow ? CHARGE_WINDOW : CHARGE_STEADY;
  const argumentsFor = (debtMax: number, { cost }: Charge) =>
    isWindow
      ? [debtMax, cost, size.windowSeconds * 1000]
      : [debtMax, cost].map((tokens) => Math.ceil(msOf(size, tokens) * 1000));
  return async (key, toCharge) => {
    const { tokensNeeded } = toCharge;
    const debtMax = tokensNeeded === "none" ? ANY_DEBT : size.capacity - tokensNeeded;
    try {
      const charging = client.eval(script, {
        keys: [`tradepost:${name}:${key}`],
        arguments: argumentsFor(debtMax, toCharge).map(String),
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
