// Runs all tests and prints the results. Files that failed run once more, one at a time. A test that passes then depends on the
// machine's load or on other files.
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

// If more files fail, the failures probably have one cause, which their messages show.
const FILES_TO_RUN_ALONE_MAX = 5;

interface Options {
  readonly root: string;
  readonly runAll: () => Promise<TestResults>;
  readonly runAlone: (files: readonly string[]) => Promise<TestResults>;
  /** Called after `runAll`. Returns the faults of the run other than failed tests, one line each. */
  readonly faultsOfRun: () => readonly string[];
  /** Tests whose failure does not fail the run if they pass alone. */
  readonly knownUnreliable: readonly UnreliableTest[];
  readonly print: (text: string) => void;
}

/** Resolves with true if the run succeeded. The last line printed is "12 passed, 0 failed". Rejects if a run crashed. */
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
  const excused = passedAlone.filter(({ test }) => known.has(test)).length;
  if (known.size > 0) print(`\n${describeKnown(knownUnreliable)}`);
  print(`\n${describeSlowest(results, root)}\n`);
  const faults = options.faultsOfRun();
  if (faults.length > 0) print(`${describeFaults(faults)}\n`);
  print(closingLine(results, faults.length - excused));
  return failed.length === excused && faults.length === 0;
}
