// What a test run found, as jest/plain-reporter.cjs writes it.

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

/** The files with a failed test. */
export function failedFiles({ files }: TestResults): string[] {
  return files.filter((file) => file.failed > 0).map((file) => file.path);
}

/** The results of the first run, in which the files of the second run are replaced: each test counts once. */
export function finalResults(first: TestResults, second: TestResults): TestResults {
  const again = new Map(second.files.map((file) => [file.path, file]));
  return { files: first.files.map((file) => again.get(file.path) ?? file) };
}

/** The tests that failed in the first run and passed in the second, each with its first failure. Empty if there are none. */
export function describeUnreliable(first: TestResults, second: TestResults, root: string): string {
  const failedAgain = new Set(failingTests(second).map(({ key }) => key));
  const unreliable = failingTests(first).filter(({ key }) => !failedAgain.has(key));
  if (unreliable.length === 0) return "";
  const lines = unreliable.map(
    ({ path, name, message }) => `\n${path.replace(`${root}/`, "")}: ${name}\n${indent(message)}`,
  );
  return [
    "These tests failed at first and passed when run again alone. Each is a bug to be fixed (CONTRIBUTING.md, Tests):",
    ...lines,
  ].join("\n");
}

/** The faults of a run besides failed tests. */
export function describeFaults(faults: readonly string[]): string {
  return [
    "The responses of the services and the API description differ (CONTRIBUTING.md, Tests):",
    ...faults.map((fault) => `  ${fault}`),
  ].join("\n");
}

const SLOWEST_SHOWN = 10;

/** The files that took longest, a line each, so that somebody sees where the time of a run goes. */
export function describeSlowest({ files }: TestResults, root: string): string {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN);
  const lines = slowest.map(
    ({ seconds, path }) => `${seconds.toFixed(1).padStart(8)} s  ${path.replace(`${root}/`, "")}`,
  );
  return ["The slowest test files:", ...lines].join("\n");
}

/** "12 passed, 0 failed, 1 skipped". Each of `faultCount` faults of the run counts as a failure. */
export function closingLine({ files }: TestResults, faultCount: number): string {
  const total = (key: "passed" | "failed" | "skipped") => files.reduce((sum, file) => sum + file[key], 0);
  const skipped = total("skipped");
  return `${total("passed")} passed, ${total("failed") + faultCount} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function failingTests({ files }: TestResults) {
  return files.flatMap(({ path, failures }) =>
    failures.map((failure) => ({ ...failure, path, key: `${path}\n${failure.name}` })),
  );
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "    ");
}
