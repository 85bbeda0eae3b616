// The programs that tests use besides the servers. Without one, the tests that need it are skipped.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { fetchFault, findPrometheus, unpackedPackages } from "@tradepost/devstack";
import { findChromium } from "./chromium.ts";
import { findHelm } from "./helm.ts";

interface TestProgram {
  readonly find: (log: (line: string) => void) => Promise<string | undefined>;
  readonly tests: string;
  readonly install: string;
}

/** By the variable with the program's path. */
const PROGRAMS: Readonly<Record<string, TestProgram>> = {
  TEST_CHROMIUM: { find: findChromium, tests: "that need a browser", install: "Chromium or Chrome" },
  TEST_PROMTOOL: {
    find: async (log) => (await findPrometheus(log))?.promtool,
    ...{ tests: "of alert rules", install: "Prometheus with its promtool" },
  },
  TEST_SPIN: { find: findSpin, tests: "of models", install: "gcc and Spin" },
  TEST_HELM: { find: findHelm, tests: "of the Helm chart", install: "Helm 4" },
};

/** Finds the programs that `given` does not name. Never rejects: it logs what is missing. */
export async function provideTestPrograms(given: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  const missing = Object.entries(PROGRAMS).filter(([variable]) => !given[variable]);
  const found = await Promise.all(
    missing.map(async ([variable, { find, tests, install }]) => {
      const skipped = (reason: string) =>
        console.log(
          `The tests ${tests} are skipped (${reason}): install ${install}, or set ${variable} to the path of the program, to run them too.`,
        );
      try {
        const program = await find(console.log);
        if (program !== undefined) return [[variable, program] as const];
        skipped("there is no package for it");
      } catch (error) {
        skipped(fetchFault(error));
      }
      return [];
    }),
  );
  return Object.fromEntries(found.flat());
}

/** Also needs gcc, which compiles Spin's output. */
async function findSpin(log: (line: string) => void): Promise<string | undefined> {
  if (!prints("gcc", "--version", "")) throw new Error("there is no gcc");
  if (prints("spin", "-V", "Spin Version")) return "spin";
  const found = await unpackedPackages({ name: "spin", install: "spin" }, log);
  return found && path.join(found.tree, "usr/bin/spin");
}

/** Other programs may have the same name. */
function prints(program: string, argument: string, text: string): boolean {
  try {
    return execFileSync(program, [argument], { encoding: "utf8", stdio: "pipe" }).includes(text);
  } catch {
    return false;
  }
}
