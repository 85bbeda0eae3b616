// The results of a test run, as jest/plain-reporter.cjs writes them.
import { readFileSync } from "node:fs";
import path from "node:path";

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

export function failedFiles({ files }: TestResults): string[] {
  return files.filter((file) => file.failed > 0).map((file) => file.path);
}

export interface UnreliableTest {
  /** The test as the run prints it: `tests/stories/media.full.test.ts: a picture is shown`. */
  readonly test: string;
  /** The day on which the failure was seen, such as 2026-11-24. */
  readonly since: string;
  readonly reason: string;
}

const KNOWN_UNRELIABLE = path.resolve(import.meta.dirname, "../known-unreliable.json");
const KNOWN_UNRELIABLE_MAX = 5;

/** @throws an Error if the list is too long. */
export function readKnownUnreliable(): readonly UnreliableTest[] {
  const known: UnreliableTest[] = JSON.parse(readFileSync(KNOWN_UNRELIABLE, "utf8"));
  if (known.length > KNOWN_UNRELIABLE_MAX) {
    throw new Error(
      `${KNOWN_UNRELIABLE} has ${known.length} tests; at most ${KNOWN_UNRELIABLE_MAX} may be known as unreliable.`,
    );
  }
  return known;
}

export interface Failure {
  readonly test: string;
  readonly message: string;
}

export function failures({ files }: TestResults, root: string): Failure[] {
  return files.flatMap((file) =>
    file.failures.map(({ name, message }) => ({
      test: `${path.relative(root, file.path)}: ${name}`,
      message,
    })),
  );
}

export function describePassedAlone(passedAlone: readonly Failure[]): string {
  return [
    "These tests pass alone, so they depend on the load of the machine or on other files. Each is a bug to be fixed (CONTRIBUTING.md, Tests):",
    ...passedAlone.map(({ test, message }) => `\n${test}\n${indent(message)}`),
  ].join("\n");
}

export function describeKnown(known: readonly UnreliableTest[]): string {
  return [
    "A failure of these tests does not fail the run if they pass alone (tools/checks/known-unreliable.json):",
    ...known.map(({ test, since, reason }) => `  ${test} (since ${since}: ${reason})`),
  ].join("\n");
}

export function describeFaults(faults: readonly string[]): string {
  return [
    "Faults of the run apart from failed tests (CONTRIBUTING.md, Tests):",
    ...faults.map((fault) => `  ${fault}`),
  ].join("\n");
}

const SLOWEST_SHOWN = 10;

/** Lists the slowest files, one line each, to show where the time of a run goes. */
export function describeSlowest({ files }: TestResults, root: string): string {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN);
  const lines = slowest.map(
    (file) => `${file.seconds.toFixed(1).padStart(8)} s  ${path.relative(root, file.path)}`,
  );
  return ["The slowest test files:", ...lines].join("\n");
}

/**
 * Returns a line such as "12 passed, 0 failed, 1 skipped". `more` is added to the failures: the faults of the run minus the
 * excused tests.
 */
export function closingLine({ files }: TestResults, more: number): string {
  const total = (key: "passed" | "failed" | "skipped") => files.reduce((sum, file) => sum + file[key], 0);
  const skipped = total("skipped");
  return `${total("passed")} passed, ${total("failed") + more} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "    ");
}
