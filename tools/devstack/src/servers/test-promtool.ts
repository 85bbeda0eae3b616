// Prometheus's promtool for a test run. Without it, the tests of alert rules are skipped.
import { findPrometheus } from "../prometheus/prometheus-programs.ts";

/** Returns the path in `given`, or else the path of a program that it finds. Never rejects: it logs why there is none. */
export async function provideTestPromtool(given: string | undefined): Promise<string | undefined> {
  if (given) return given;
  try {
    return (await findPrometheus(console.log))?.promtool ?? explain("there is no package for it");
  } catch (error) {
    // The last line of apt's output is the reason.
    return explain((error instanceof Error ? error.message : String(error)).trim().split("\n").at(-1) ?? "");
  }
}

function explain(reason: string): undefined {
  console.log(
    `The tests of alert rules are skipped (${reason}): install Prometheus with its promtool, or set TEST_PROMTOOL to the path of that program, to run them too.`,
  );
}
