// The browser that `npm test` provides for tests of pages.
import { readSettings } from "@tradepost/runtime";
import { z } from "zod";

/** Returns the path of a Chromium, or undefined if this machine has none; skip the test then. */
export function testChromium(): string | undefined {
  return readSettings(z.object({ TEST_CHROMIUM: z.string().min(1).optional() })).TEST_CHROMIUM;
}
