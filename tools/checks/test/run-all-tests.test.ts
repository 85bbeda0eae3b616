// A failed test fails the run. The files that failed run once more, alone, and the run reports which tests then pass.
import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { ROOT } from "../src/root.ts";
import { runAllTests } from "../src/run-all-tests.ts";
import { readResults, type TestResults, type UnreliableTest } from "../src/test-results.ts";

const passes = (name: string) => fileOf(name, []);
const fails = (name: string, ...tests: string[]) => fileOf(name, tests);
const fileOf = (name: string, failed: string[]) => ({
  path: `/root/${name}.test.ts`,
  seconds: 1,
  passed: 1,
  failed: failed.length,
  skipped: 0,
  failures: failed.map((test) => ({ name: test, message: `Error: ${test}` })),
});

async function run(
  all: TestResults["files"],
  {
    alone = [],
    faults = [],
    known = [],
  }: Partial<Record<"alone", TestResults["files"]>> & {
    faults?: string[];
    known?: UnreliableTest[];
  } = {},
) {
  const printed: string[] = [];
  const ranAlone: string[] = [];
  const succeeds = await runAllTests({
    root: "/root",
    runAll: async () => ({ files: all }),
    runAlone: async (files) => {
      ranAlone.push(...files);
      return { files: alone };
    },
    faultsOfRun: () => faults,
    knownUnreliable: known,
    print: (text) => printed.push(text),
  });
  return { succeeds, ranAlone, output: printed.join("\n"), lastLine: printed.at(-1) };
}

describe("a run of all tests", () => {
  test("succeeds if every test passes", async () => {
    const { succeeds, lastLine, output, ranAlone } = await run([passes("a"), passes("b")]);
    expect([succeeds, lastLine, ranAlone]).toEqual([true, "2 passed, 0 failed", []]);
    expect(output).toContain("     1.0 s  a.test.ts");
  });

  test("fails if a test fails, and names it with its failure if it passes alone", async () => {
    const all = [fails("a", "at times", "always"), fails("b", "at times"), passes("c")];
    const alone = [fails("a", "always"), passes("b")];
    const { succeeds, lastLine, output, ranAlone } = await run(all, { alone });
    expect([succeeds, lastLine]).toEqual([false, "3 passed, 3 failed"]);
    expect(ranAlone).toEqual(["/root/a.test.ts", "/root/b.test.ts"]);
    const [, report = ""] = output.split("These tests pass alone");
    expect(report).toContain("\na.test.ts: at times\n    Error: at times\n\nb.test.ts: at times\n");
    expect(report).not.toContain("always");
  });

  test("succeeds if only tests that are known to be unreliable fail, and pass alone; it prints their list", async () => {
    const known = [{ test: "a.test.ts: at times", since: "2026-11-24", reason: "a slow disk" }];
    const all = [fails("a", "at times")];
    const { succeeds, lastLine, output } = await run(all, { alone: [passes("a")], known });
    expect([succeeds, lastLine]).toEqual([true, "1 passed, 0 failed"]);
    expect(output).toContain("  a.test.ts: at times (since 2026-11-24: a slow disk)");
    expect((await run(all, { alone: all, known })).succeeds).toBe(false);
    expect((await run([passes("b")], { known })).output).toContain("a slow disk");
  });

  test("does not run files again if more than five fail", async () => {
    const all = ["a", "b", "c", "d", "e", "f"].map((name) => fails(name, "breaks"));
    const { succeeds, output, ranAlone } = await run(all);
    expect([succeeds, ranAlone]).toEqual([false, []]);
    expect(output).toContain("6 test files failed: too many to run them again.");
  });

  test("fails if a service sent something that the API description does not say", async () => {
    const { succeeds, lastLine, output } = await run([passes("a")], {
      faults: ["placeOrder: no test requests it"],
    });
    expect([succeeds, lastLine]).toEqual([false, "1 passed, 1 failed"]);
    expect(output).toContain(
      "apart from failed tests (CONTRIBUTING.md, Tests):\n  placeOrder: no test requests it",
    );
  });
});

test("jest leaves the results of each file; one that cannot be run counts as one failure", async () => {
  const root = mkdtempSync(path.join(tmpdir(), "results-"));
  const reporter = path.join(ROOT, "tools/checks/jest/plain-reporter.cjs");
  const config = {
    testMatch: ["<rootDir>/*.test.cjs"],
    transform: {},
    reporters: [reporter],
    watchman: false,
  };
  writeFileSync(path.join(root, "jest.config.json"), JSON.stringify(config));
  const files = {
    a: `test("adds", () => {}); test("breaks", () => { throw new Error("wrong"); }); test.skip("is skipped", () => {});`,
    b: `throw new Error("does not load");`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, `${name}.test.cjs`), text);
  const results = path.join(root, "results.json");
  const args = [path.join(ROOT, "node_modules/jest/bin/jest.js"), "-c", "jest.config.json", "--runInBand"];
  const env = { ...process.env, TEST_RESULTS_FILE: results };
  const code = await new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, env }, (error) => resolve(error?.code));
  });
  const byName = readResults(results).files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
  expect([code, byName]).toEqual([
    1,
    [
      expect.objectContaining({
        passed: 1,
        failed: 1,
        skipped: 1,
        failures: [{ name: "breaks", message: expect.stringContaining("wrong") }],
      }),
      expect.objectContaining({
        passed: 0,
        failed: 1,
        failures: [{ name: "(the whole file)", message: expect.stringContaining("does not load") }],
      }),
    ],
  ]);
});
