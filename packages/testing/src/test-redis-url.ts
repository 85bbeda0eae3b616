// The Redis server that `npm test` starts for tests of state that replicas share.
import { readSettings } from "@tradepost/runtime";
import { z } from "zod";

/**
 * Returns the URL of a Redis server, with its password, or undefined if this machine has none; skip the test then. All test files
 * share the server, so use unique keys, and a fault proxy to make it fail.
 */
export function testRedisUrl(): string | undefined {
  return readSettings(z.object({ TEST_REDIS_URL: z.url().optional() })).TEST_REDIS_URL;
}
