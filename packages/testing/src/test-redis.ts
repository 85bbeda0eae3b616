import { readSettings } from "@tradepost/runtime";
import { z } from "zod";

const settings = z.object({ TEST_REDIS_URL: z.url().optional() });

/** Undefined without a Redis: skip the test then. Test files share the server, so use unique keys. */
export function testRedisUrl(): string | undefined {
  return readSettings(settings).TEST_REDIS_URL;
}
