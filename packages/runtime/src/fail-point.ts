// Points at which a test can kill the process, as a power failure would. The production build has `no-fail-point.ts` instead, because only
// development sets the condition `source` of this package's `exports`.
import { readFileSync, writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { z } from "zod";
import { readSettings } from "./settings.ts";

const { TRADEPOST_FAIL_AT_FILE: file } = readSettings(
  z.object({ TRADEPOST_FAIL_AT_FILE: z.string().optional() }),
);
let timesReached = 0;

/**
 * Kills the process if the file TRADEPOST_FAIL_AT_FILE names this point: `settle.committed`, or `relay.published:2` to die at the second
 * time. The file is read each time, so that a test can choose the point while the process runs. Empty it before the next start.
 */
export function failPoint(name: string): void {
  if (file === undefined) return;
  const [wanted, times = "1"] = readFileSync(file, "utf8").split(":");
  if (name !== wanted) return;
  timesReached += 1;
  if (timesReached < Number(times)) return;
  writeSync(process.stderr.fd, `killed at ${name}\n`);
  // Otherwise the next process compiles the same code again.
  flushCompileCache();
  process.kill(process.pid, "SIGKILL");
}
