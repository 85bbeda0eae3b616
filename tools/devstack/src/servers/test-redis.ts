// The Redis of a test run. Without it, the tests that need it are skipped, because the platform also runs without Redis.
import { startAll, stopAll } from "../process/program.ts";
import { prepareRedis } from "../redis/private-redis.ts";

export interface TestRedis {
  /** Undefined if Redis is not available. */
  readonly url: string | undefined;
  stop(): Promise<void>;
}

/** Uses the server at `externalUrl`, if set, otherwise a private one. Never rejects: it logs why there is no Redis. */
export async function startTestRedis(externalUrl: string | undefined, dataDir: string): Promise<TestRedis> {
  if (externalUrl) return { url: externalUrl, stop: async () => {} };
  try {
    const prepared = await prepareRedis({ dataDir, log: console.log });
    if (prepared === undefined) return unavailable("there is no package for it");
    const running = await startAll(prepared.processes);
    return { url: prepared.url, stop: () => stopAll(running) };
  } catch (error) {
    // The last line of apt's output is the reason.
    return unavailable(
      (error instanceof Error ? error.message : String(error)).trim().split("\n").at(-1) ?? "",
    );
  }
}

function unavailable(reason: string): TestRedis {
  const install = process.platform === "darwin" ? "brew install redis" : "sudo apt-get install redis-server";
  console.log(
    `The tests that need Redis are skipped (${reason}): run \`${install}\`, or set TEST_REDIS_URL, to run them too.`,
  );
  return { url: undefined, stop: async () => {} };
}
