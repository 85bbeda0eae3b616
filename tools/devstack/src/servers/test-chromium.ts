// The browser of a test run. Without one, the tests that need it are skipped.
import { findChromium } from "../browser/chromium.ts";

/** Returns the path in `given`, or else the path of a program that it finds. Never rejects: it logs why there is none. */
export async function provideTestChromium(given: string | undefined): Promise<string | undefined> {
  if (given) return given;
  try {
    return (await findChromium(console.log)) ?? explain("there is no package for it");
  } catch (error) {
    // The last line of apt's output is the reason.
    return explain((error instanceof Error ? error.message : String(error)).trim().split("\n").at(-1) ?? "");
  }
}

function explain(reason: string): undefined {
  console.log(
    `The tests that need a browser are skipped (${reason}): install Chromium or Chrome, or set TEST_CHROMIUM to the path of the program, to run them too.`,
  );
}
