// The Redis server that `npm test` starts, for tests of state that replicas share.
import { readSettings } from "@tradepost/runtime";
import { z } from "zod";

/**
 * The URL of a Redis server, with its password, or undefined on a machine where Redis is not available; skip the test
 * then. All test files share the server: use unique keys, and a fault proxy where the server has to fail.
 */
export function testRedisUrl(): string | undefined {
  return readSettings(z.object({ TEST_REDIS_URL: z.url().optional() })).TEST_REDIS_URL;
}
