// What a test run found, as jest/plain-reporter.cjs writes it.
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

/** The files in which the tests of a workspace leave their results, and the responses that the services sent meanwhile. */
export function filesOfRun(workspace: string) {
  const folder = path.join(workspace, ".cache/test");
  return { results: path.join(folder, "results.json"), responses: path.join(folder, "responses.jsonl") };
}

export function readResults(file: string): TestResults {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** The files with a failed test. */
export function failedFiles({ files }: TestResults): string[] {
  return files.filter((file) => file.failed > 0).map((file) => file.path);
}

/** A test that is known to fail at times. */
export interface UnreliableTest {
  /** As the run prints it: `tests/media.test.ts: a picture is shown`. */
  readonly test: string;
  /** The day on which it was seen to fail, such as 2026-11-24. */
  readonly since: string;
  readonly reason: string;
}

const KNOWN_UNRELIABLE = path.resolve(import.meta.dirname, "../known-unreliable.json");
const KNOWN_UNRELIABLE_MAX = 5;

/** @throws Error if the list is too long. */
export function readKnownUnreliable(): readonly UnreliableTest[] {
  const known: UnreliableTest[] = JSON.parse(readFileSync(KNOWN_UNRELIABLE, "utf8"));
  if (known.length > KNOWN_UNRELIABLE_MAX) {
    throw new Error(
      `${KNOWN_UNRELIABLE} has ${known.length} tests; at most ${KNOWN_UNRELIABLE_MAX} may be known as unreliable.`,
    );
  }
  return known;
}

/** A test that failed. */
export interface Failure {
  /** As in `UnreliableTest`. */
  readonly test: string;
  readonly message: string;
}

/** The tests that failed. */
export function failures({ files }: TestResults, root: string): Failure[] {
  return files.flatMap((file) =>
    file.failures.map(({ name, message }) => ({
      test: `${path.relative(root, file.path)}: ${name}`,
      message,
    })),
  );
}

/** The failed tests that passed when their files ran again, alone, each with its failure. */
export function describePassedAlone(passedAlone: readonly Failure[]): string {
  return [
    "These tests pass alone, so they depend on the load of the machine or on other files. Each is a bug to be fixed (CONTRIBUTING.md, Tests):",
    ...passedAlone.map(({ test, message }) => `\n${test}\n${indent(message)}`),
  ].join("\n");
}

/** The list of tests that may fail as long as they pass alone. */
export function describeKnown(known: readonly UnreliableTest[]): string {
  return [
    "A failure of these tests does not fail the run if they pass alone (tools/checks/known-unreliable.json):",
    ...known.map(({ test, since, reason }) => `  ${test} (since ${since}: ${reason})`),
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
    (file) => `${file.seconds.toFixed(1).padStart(8)} s  ${path.relative(root, file.path)}`,
  );
  return ["The slowest test files:", ...lines].join("\n");
}

/** "12 passed, 0 failed, 1 skipped". `more` is added to the failures: the faults of the run, minus the excused tests. */
export function closingLine({ files }: TestResults, more: number): string {
  const total = (key: "passed" | "failed" | "skipped") => files.reduce((sum, file) => sum + file[key], 0);
  const skipped = total("skipped");
  return `${total("passed")} passed, ${total("failed") + more} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "    ");
}
