import { readSettings } from "@tradepost/runtime";
import { z } from "zod";

const settings = z.object({ TEST_REDIS_URL: z.url().optional() });

/**
 * Undefined if this machine has no Redis: skip the test then. All test files share the server, so use unique keys, and a fault proxy
 * to make it fail.
 */
export function testRedisUrl(): string | undefined {
  return readSettings(settings).TEST_REDIS_URL;
}
