// The results of a test run, as jest/plain-reporter.cjs writes them.
import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./root.ts";

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

export function failures({ files }: TestResults): { test: string; message: string }[] {
  return files.flatMap(({ path: file, failures }) =>
    failures.map(({ name, message }) => ({ test: `${path.relative(ROOT, file)}: ${name}`, message })),
  );
}
