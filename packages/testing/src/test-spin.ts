// The model checker Spin that `npm test` provides, for tests of models.
import { readSettings } from "@tradepost/runtime";
import { z } from "zod";

/** The path of Spin, or undefined on a machine where it or a C compiler is not available; skip the test then. */
export function testSpin(): string | undefined {
  return readSettings(z.object({ TEST_SPIN: z.string().min(1).optional() })).TEST_SPIN;
}
