// The Redis that a test run uses. A platform runs without one, so a test run does too: it skips what needs Redis.

import { startAll, stopAll } from "../process/running.ts";
import { prepareRedis } from "../redis/private-redis.ts";

export interface TestRedis {
  /** Undefined where no Redis is to be had. */
  readonly url: string | undefined;
  stop(): Promise<void>;
}

/** In: an address to use instead, and a directory for a private server. Never rejects; says why there is none. */
export async function startTestRedis(given: string | undefined, dataDir: string): Promise<TestRedis> {
  if (given) return { url: given, stop: async () => {} };
  try {
    const prepared = await prepareRedis({ dataDir, say: console.log });
    if (prepared === undefined) return without("there is no package of it");
    const running = await startAll(prepared.processes);
    return { url: prepared.url, stop: () => stopAll(running) };
  } catch (error) {
    // Of what apt prints, the last line says why.
    return without((error instanceof Error ? error.message : String(error)).trim().split("\n").at(-1) ?? "");
  }
}

function without(reason: string): TestRedis {
  const install = process.platform === "darwin" ? "brew install redis" : "sudo apt-get install redis-server";
  console.log(
    `The tests that need Redis are skipped (${reason}): run \`${install}\`, or set TEST_REDIS_URL, to run them too.`,
  );
  return { url: undefined, stop: async () => {} };
}
