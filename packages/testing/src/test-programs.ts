// What `npm test` provides; undefined if this machine has none: skip the test then.
import { readSettings } from "@tradepost/runtime";
import { z } from "zod";

const programs = z.object({
  TEST_CHROMIUM: z.string().min(1).optional(),
  TEST_PROMTOOL: z.string().min(1).optional(),
  TEST_SPIN: z.string().min(1).optional(),
  TEST_HELM: z.string().min(1).optional(),
});

export const testChromium = () => readSettings(programs).TEST_CHROMIUM;
export const testPromtool = () => readSettings(programs).TEST_PROMTOOL;
/** Where it is available, a C compiler is too. */
export const testSpin = () => readSettings(programs).TEST_SPIN;
export const testHelm = () => readSettings(programs).TEST_HELM;

/** All test files share the Redis server, so use unique keys, and a fault proxy to make it fail. */
export function testRedisUrl(): string | undefined {
  return readSettings(z.object({ TEST_REDIS_URL: z.url().optional() })).TEST_REDIS_URL;
}
