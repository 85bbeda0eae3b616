// Points between two awaits at which a test has the process die, as if its power went. What runs in production takes
// `no-fail-point.ts` in this file's place: see this package's `exports`, whose condition `source` only development sets.
import { writeSync } from "node:fs";
import { z } from "zod";
import { readSettings } from "./settings.ts";

// `settle.committed`, or `relay.published:2` for the second time that it is reached.
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
 * In: what has just happened, as `<stage>.<what>`. Kills the process where TRADEPOST_FAIL_AT names this point; whoever
 * starts it again leaves the setting out, or it dies again.
 */
export function failPoint(name: string): void {
  if (name !== wanted?.name) return;
  timesReached += 1;
  if (timesReached < wanted.times) return;
  writeSync(process.stderr.fd, `killed at ${name}\n`);
  process.kill(process.pid, "SIGKILL");
}
