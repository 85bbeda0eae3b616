// Runs all tests and prints the results. Files that failed run once more, one at a time. A test that passes then depends on the load
// of the machine or on other files.
import {
  closingLine,
  describeFaults,
  describeKnown,
  describePassedAlone,
  describeSlowest,
  failedFiles,
  failures,
  type TestResults,
  type UnreliableTest,
} from "./test-results.ts";

// More failures than these have one cause, which their messages tell.
const FILES_TO_RUN_ALONE_MAX = 5;

interface Options {
  readonly root: string;
  /** Rejects if the run crashed. */
  readonly runAll: () => Promise<TestResults>;
  /** Runs these files one at a time. Rejects if the run crashed. */
  readonly runAlone: (files: readonly string[]) => Promise<TestResults>;
  /** Returns what was wrong with the run besides failed tests: one line for each fault. Called after `runAll`. */
  readonly faultsOfRun: () => readonly string[];
  /** Tests whose failure does not fail the run if they pass alone. */
  readonly knownUnreliable: readonly UnreliableTest[];
  /** Whether a test that passes alone, and is not known to be unreliable, fails the run. */
  readonly isStrict: boolean;
  readonly print: (text: string) => void;
}

/** Resolves to whether the run succeeded. The last line printed is "12 passed, 0 failed". Rejects if a run crashed. */
export async function runAllTests(options: Options): Promise<boolean> {
  const { root, knownUnreliable, print } = options;
  const results = await options.runAll();
  const failed = failures(results, root);
  const files = failedFiles(results);
  const passedAlone = [];
  if (files.length > FILES_TO_RUN_ALONE_MAX) {
    print(`\n${files.length} test files failed: too many to run them again.`);
  } else if (files.length > 0) {
    const which = files.length === 1 ? "the file" : `the ${files.length} files`;
    print(`\nRunning ${which} that failed again, alone.\n`);
    const failedAlone = new Set(failures(await options.runAlone(files), root).map(({ test }) => test));
    passedAlone.push(...failed.filter(({ test }) => !failedAlone.has(test)));
  }
  if (passedAlone.length > 0) print(`\n${describePassedAlone(passedAlone)}`);
  const known = new Set(knownUnreliable.map(({ test }) => test));
  const excused = passedAlone.filter(({ test }) => !options.isStrict || known.has(test)).length;
  if (known.size > 0) print(`\n${describeKnown(knownUnreliable)}`);
  print(`\n${describeSlowest(results, root)}\n`);
  const faults = options.faultsOfRun();
  if (faults.length > 0) print(`${describeFaults(faults)}\n`);
  print(closingLine(results, faults.length - excused));
  return failed.length === excused && faults.length === 0;
}
