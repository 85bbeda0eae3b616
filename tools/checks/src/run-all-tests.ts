// Runs all tests and prints the results. Files that failed run once more, one at a time. A test that passes then depends on the
// machine's load or on other files.
import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./root.ts";

// If more files fail, the failures probably have one cause, which their messages show.
const FILES_TO_RUN_ALONE_MAX = 5;
const SLOWEST_SHOWN = 10;

interface Options {
  readonly runAll: () => Promise<TestResults>;
  readonly runAlone: (files: readonly string[]) => Promise<TestResults>;
  /** Called after `runAll`. Returns the faults of the run other than failed tests, one line each. */
  readonly faultsOfRun: () => readonly string[];
}

/** Resolves with true if the run succeeded. The last line printed is "12 passed, 0 failed". Rejects if a run crashed. */
export async function runAllTests({ runAll, runAlone, faultsOfRun }: Options): Promise<boolean> {
  const known = readKnownUnreliable();
  const results = await runAll();
  const failed = failures(results);
  const files = results.files.filter((file) => file.failed > 0).map((file) => file.path);
  let passedAlone: typeof failed = [];
  if (files.length > FILES_TO_RUN_ALONE_MAX) {
    console.log(`\n${files.length} test files failed: too many to run them again.`);
  } else if (files.length > 0) {
    console.log(`\nRunning the files that failed again (${files.length}), alone.\n`);
    const failedAlone = new Set(failures(await runAlone(files)).map(({ test }) => test));
    passedAlone = failed.filter(({ test }) => !failedAlone.has(test));
  }
  printList(
    "These tests pass alone, so they depend on the load of the machine or on other files. Each is a bug to be fixed (CONTRIBUTING.md, Tests):",
    passedAlone.map(({ test, message }) => `\n${test}\n${message.replace(/^(?=.)/gm, "    ")}`),
  );
  printList(
    "A failure of these tests does not fail the run if they pass alone (tools/checks/known-unreliable.json):",
    known.map(({ test, since, reason }) => `${test} (since ${since}: ${reason})`),
  );
  // To show where the time of a run goes.
  const slowest = results.files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN);
  printList(
    "The slowest test files:",
    slowest.map((file) => `${file.seconds.toFixed(1).padStart(6)} s  ${path.relative(ROOT, file.path)}`),
  );
  const faults = faultsOfRun();
  printList("Faults of the run apart from failed tests (CONTRIBUTING.md, Tests):", faults);
  const excused = passedAlone.filter(({ test }) => known.some((one) => one.test === test)).length;
  const total = (key: "passed" | "failed" | "skipped") =>
    results.files.reduce((sum, file) => sum + file[key], 0);
  const skipped = total("skipped") > 0 ? `, ${total("skipped")} skipped` : "";
  console.log(`\n${total("passed")} passed, ${total("failed") + faults.length - excused} failed${skipped}`);
  return failed.length === excused && faults.length === 0;
}

function printList(title: string, lines: readonly string[]): void {
  if (lines.length > 0) console.log(`\n${[title, ...lines.map((line) => `  ${line}`)].join("\n")}`);
}

/** As jest/plain-reporter.cjs writes them. */
export interface TestResults {
  readonly files: readonly FileResult[];
}

interface FileResult {
  readonly path: string;
  readonly seconds: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly { readonly name: string; readonly message: string }[];
}

/** Returns the files in which the tests of a workspace store their results and the services' responses. */
export function filesOfRun(workspace: string) {
  const folder = path.join(workspace, ".cache/test");
  return { results: path.join(folder, "results.json"), responses: path.join(folder, "responses.jsonl") };
}

export function readResults(file: string): TestResults {
  return JSON.parse(readFileSync(file, "utf8"));
}

interface UnreliableTest {
  /** `tests/stories/media.full.test.ts: a picture is shown`. */
  readonly test: string;
  /** `2026-11-24`. */
  readonly since: string;
  readonly reason: string;
}

const KNOWN_UNRELIABLE = path.resolve(import.meta.dirname, "../known-unreliable.json");
const KNOWN_UNRELIABLE_MAX = 5;

/** @throws an Error if the list is too long. */
function readKnownUnreliable(): readonly UnreliableTest[] {
  const known: UnreliableTest[] = JSON.parse(readFileSync(KNOWN_UNRELIABLE, "utf8"));
  if (known.length <= KNOWN_UNRELIABLE_MAX) return known;
  throw new Error(`${KNOWN_UNRELIABLE} may have at most ${KNOWN_UNRELIABLE_MAX} tests, not ${known.length}.`);
}

function failures({ files }: TestResults): { test: string; message: string }[] {
  return files.flatMap(({ path: file, failures }) =>
    failures.map(({ name, message }) => ({ test: `${path.relative(ROOT, file)}: ${name}`, message })),
  );
}
