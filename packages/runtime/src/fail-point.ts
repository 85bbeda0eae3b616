// Fail points: places in the code where a test can kill the process, as a power failure would. The production build has
// `no-fail-point.ts` instead of this file: only development sets the condition `source` of this package's `exports`.
import { writeSync } from "node:fs";
import { z } from "zod";
import { readSettings } from "./settings.ts";

// `settle.committed`, or `relay.published:2` to die at the second time.
const failAt = z
  .string()
  .regex(/^[a-z.-]+(:[1-9][0-9]*)?$/, "must be the name of a fail point, with or without :times")
  .transform((text) => {
    const [name = "", times = "1"] = text.split(":");
    return { name, times: Number(times) };
  });

const { TRADEPOST_FAIL_AT: wanted } = readSettings(z.object({ TRADEPOST_FAIL_AT: failAt.optional() }));
let timesReached = 0;

/**
 * Kills the process if TRADEPOST_FAIL_AT names this point. Names are `<stage>.<what just happened>`. Start the process
 * again without the setting, or it dies again.
 */
export function failPoint(name: string): void {
  if (name !== wanted?.name) return;
  timesReached += 1;
  if (timesReached < wanted.times) return;
  writeSync(process.stderr.fd, `killed at ${name}\n`);
  process.kill(process.pid, "SIGKILL");
}
