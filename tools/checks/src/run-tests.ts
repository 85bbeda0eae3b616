// Runs jest. In a run of all tests, the files that failed are run once more, one at a time, so that a test which fails only on
// a busy machine is reported, but does not fail the run.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import {
  closingLine,
  describeFaults,
  describeSlowest,
  describeUnreliable,
  failedFiles,
  finalResults,
  type TestResults,
} from "./test-results.ts";

const JEST = path.resolve(import.meta.dirname, "../../../node_modules/jest/bin/jest.js");
// More failures than these are no accident.
const FILES_TO_RUN_AGAIN_MAX = 5;

interface Options {
  readonly root: string;
  readonly config: string;
  readonly env: NodeJS.ProcessEnv;
  /** Arguments for jest that choose the tests of a run without `jestArguments`. */
  readonly selection: readonly string[];
  /** The file through which jest's reporter passes the results. */
  readonly resultsFile: string;
  /** Returns what was wrong with the run besides failed tests: one line for each fault. Called at the end of a run of all tests. */
  readonly faultsOfRun: () => readonly string[];
}

/** The tests while they run. */
export interface TestRun {
  /** 0 if every test passed, at the latest in the second run. */
  readonly exitCode: Promise<number>;
  /** Ends jest and its workers. */
  end(): void;
}

/** Runs the selection, or once those tests which `jestArguments` choose. The last line printed is "12 passed, 0 failed". */
export function runTests(jestArguments: readonly string[], options: Options): TestRun {
  let jest: ChildProcess | undefined;
  let isEnding = false;

  async function runJest(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
    if (isEnding) return 1;
    const started = startJest(args, { ...options, env: { ...options.env, ...env } });
    jest = started;
    return await new Promise<number>((resolve, reject) => {
      started.once("error", reject);
      started.once("exit", (code) => resolve(code ?? 1));
    }).finally(() => {
      jest = undefined;
    });
  }
  /** Without results if jest crashed or was ended. */
  async function runRecorded(args: readonly string[]): Promise<{ code: number; results?: TestResults }> {
    rmSync(options.resultsFile, { force: true });
    const code = await runJest(args, { TEST_RESULTS_FILE: options.resultsFile });
    if (!existsSync(options.resultsFile)) return { code: code || 1 };
    return { code, results: JSON.parse(readFileSync(options.resultsFile, "utf8")) };
  }
  /** Prints the faults of the run and the last line. Resolves to the exit code. */
  function conclude(code: number, results: TestResults): number {
    const faults = options.faultsOfRun();
    console.log(`\n${describeSlowest(results, options.root)}\n`);
    if (faults.length > 0) console.log(`${describeFaults(faults)}\n`);
    console.log(closingLine(results, faults.length));
    return faults.length > 0 ? 1 : code;
  }
  async function runAll(): Promise<number> {
    const first = await runRecorded(options.selection);
    if (first.results === undefined || isEnding) return first.code;
    const failed = failedFiles(first.results);
    if (failed.length === 0 || failed.length > FILES_TO_RUN_AGAIN_MAX) {
      if (failed.length > 0)
        console.log(`\n${failed.length} test files failed: too many to run them again.\n`);
      return conclude(first.code, first.results);
    }
    console.log(
      `\nRunning ${failed.length === 1 ? "the file" : `the ${failed.length} files`} that failed again, alone.\n`,
    );
    const second = await runRecorded(["--maxWorkers=1", "--runTestsByPath", ...failed]);
    if (second.results === undefined) return second.code;
    const unreliable = describeUnreliable(first.results, second.results, options.root);
    if (unreliable !== "") console.log(`\n${unreliable}\n`);
    return conclude(second.code, finalResults(first.results, second.results));
  }

  return {
    // Without a file for the results, the reporter prints the last line itself; it may be set in a test of this file.
    exitCode: jestArguments.length > 0 ? runJest(jestArguments, { TEST_RESULTS_FILE: "" }) : runAll(),
    end: () => {
      isEnding = true;
      if (jest?.pid !== undefined) process.kill(-jest.pid, "SIGTERM");
    },
  };
}

/** Jest and its workers run in a process group, so that one signal ends them. */
function startJest(args: readonly string[], { root, config, env }: Options): ChildProcess {
  return spawn(process.execPath, ["--conditions=source", JEST, "-c", config, "--rootDir", root, ...args], {
    cwd: root,
    env,
    stdio: "inherit",
    detached: true,
  });
}
