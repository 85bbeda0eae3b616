// Prometheus's promtool that `npm test` provides, for tests of alert rules.
import { readSettings } from "@tradepost/runtime";
import { z } from "zod";

/** The path of promtool, or undefined on a machine where none is available; skip the test then. */
export function testPromtool(): string | undefined {
  return readSettings(z.object({ TEST_PROMTOOL: z.string().min(1).optional() })).TEST_PROMTOOL;
}
