// The model checker Spin for a test run. Without Spin or a C compiler, the tests of models are skipped.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { unpackedPackages } from "../debian/debian-packages.ts";

/** Returns the path in `given`, or else the path of a program that it finds. Never rejects: it logs why there is none. */
export async function provideTestSpin(given: string | undefined): Promise<string | undefined> {
  if (given) return given;
  // Spin writes each search as a program in C.
  if (!prints("gcc", "--version", "")) return explain("there is no gcc");
  if (prints("spin", "-V", "Spin Version")) return "spin";
  try {
    const found = await unpackedPackages({ name: "spin", install: "spin" }, console.log);
    return found === undefined
      ? explain("there is no package for it")
      : path.join(found.tree, "usr/bin/spin");
  } catch (error) {
    // The last line of apt's output is the reason.
    return explain((error instanceof Error ? error.message : String(error)).trim().split("\n").at(-1) ?? "");
  }
}

/** Other programs may have the same name. */
function prints(program: string, argument: string, text: string): boolean {
  try {
    return execFileSync(program, [argument], { encoding: "utf8", stdio: "pipe" }).includes(text);
  } catch {
    return false;
  }
}

function explain(reason: string): undefined {
  console.log(
    `The tests of models are skipped (${reason}): install gcc and Spin, or set TEST_SPIN to the path of that program, to run them too.`,
  );
}
