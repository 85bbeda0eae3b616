// The Redis that `npm test` started, for tests of what replicas share.
import { readSettings } from "@tradepost/runtime";
import { z } from "zod";

/**
 * Out: the address of a real Redis, password included. Undefined where none can be had: skip the test then. All test
 * files share it, so keys must be a test's own, and a test that needs it to fail puts a fault proxy in front.
 */
export function testRedisUrl(): string | undefined {
  return readSettings(z.object({ TEST_REDIS_URL: z.url().optional() })).TEST_REDIS_URL;
}
