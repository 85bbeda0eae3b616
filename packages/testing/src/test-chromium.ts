// The browser that `npm test` provides, for tests of pages.
import { readSettings } from "@tradepost/runtime";
import { z } from "zod";

/** The path of a Chromium, or undefined on a machine where none is available; skip the test then. */
export function testChromium(): string | undefined {
  return readSettings(z.object({ TEST_CHROMIUM: z.string().min(1).optional() })).TEST_CHROMIUM;
}
