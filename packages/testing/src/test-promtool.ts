// The promtool of Prometheus that `npm test` provides for tests of alert rules.
import { readSettings } from "@tradepost/runtime";
import { z } from "zod";

/** Returns the path of promtool, or undefined if this machine has none; skip the test then. */
export function testPromtool(): string | undefined {
  return readSettings(z.object({ TEST_PROMTOOL: z.string().min(1).optional() })).TEST_PROMTOOL;
}
