// `npm test` runs the files that failed once more, one at a time, and says so.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";

const RUN_TESTS = path.resolve(import.meta.dirname, "support/run-tests-in.ts");
const REPORTER = path.resolve(import.meta.dirname, "../jest/plain-reporter.cjs");

const PASSES = `test("adds", () => {});`;
const FAILS = `test("breaks", () => { throw new Error("always wrong"); });\n${PASSES}`;
/** Fails in its first run, and notes each run. */
const FAILS_ONCE = `
  const fs = require("node:fs");
  const runs = __filename + ".runs";
  test("is unreliable", () => {
    fs.appendFileSync(runs, "x");
    if (fs.readFileSync(runs, "utf8") === "x") throw new Error("wrong at first");
  });
  ${PASSES}
  test.skip("is skipped", () => {});`;
const CANNOT_BE_RUN = `throw new Error("does not load");`;
const HANGS = `require("node:fs").writeFileSync(__filename + ".runs", "x"); test("hangs", () => new Promise(() => {}));`;

describe("a run of all tests", () => {
  let root: string;
  beforeEach(() => {
    environment = {};
    root = mkdtempSync(path.join(tmpdir(), "second-run-"));
    writeFileSync(
      path.join(root, "jest.config.mjs"),
      `export default ${JSON.stringify({
        testMatch: ["<rootDir>/*.test.cjs"],
        transform: {},
        reporters: ["default", REPORTER],
        maxWorkers: 2,
        testTimeout: 240_000,
        watchman: false,
      })};`,
    );
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  let environment: Record<string, string>;
  const start = (files: Record<string, string>, ...jestArguments: string[]) => {
    for (const [name, text] of Object.entries(files))
      writeFileSync(path.join(root, `${name}.test.cjs`), text);
    const args = ["--conditions=source", "--disable-warning=ExperimentalWarning", RUN_TESTS, root];
    // One pipe for both outputs keeps their order, as a terminal does.
    const child = spawn("sh", ["-c", 'exec "$0" "$@" 2>&1', process.execPath, ...args, ...jestArguments], {
      env: { ...process.env, FORCE_COLOR: "0", ...environment },
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
    const ended = new Promise<{ code: number | null; output: string; lastLine: string | undefined }>(
      (resolve) => {
        child.once("close", (code) =>
          resolve({ code, output, lastLine: output.trimEnd().split("\n").at(-1) }),
        );
      },
    );
    return { child, ended };
  };
  const run = (files: Record<string, string>, ...jestArguments: string[]) =>
    start(files, ...jestArguments).ended;
  const runsOf = (name: string) => readFileSync(path.join(root, `${name}.test.cjs.runs`), "utf8").length;

  test("passes in one run if every test passes", async () => {
    const { code, output, lastLine } = await run({ first: PASSES, second: PASSES });
    expect({ code, lastLine }).toEqual({ code: 0, lastLine: "2 passed, 0 failed" });
    expect(output).not.toContain("again");
  });

  test("passes if a test that failed passes when run again, and names it with its first failure", async () => {
    const { code, output, lastLine } = await run({ first: FAILS_ONCE, second: PASSES });
    expect({ code, lastLine }).toEqual({ code: 0, lastLine: "3 passed, 0 failed, 1 skipped" });
    const [, report = ""] = output.split("These tests failed at first and passed when run again alone.");
    expect(report).toContain("first.test.cjs: is unreliable\n    Error: wrong at first\n");
    expect(report).not.toContain("adds");
    expect(output.match(/\d passed, \d failed/g)).toHaveLength(1);
    expect(runsOf("first")).toBe(2);
  });

  test("fails if a test fails twice, and names those that failed once", async () => {
    const { code, output, lastLine } = await run({ first: FAILS_ONCE, second: FAILS, third: PASSES });
    expect({ code, lastLine }).toEqual({ code: 1, lastLine: "4 passed, 1 failed, 1 skipped" });
    const [, report = ""] = output.split("These tests failed at first and passed when run again alone.");
    expect(report).toContain("first.test.cjs: is unreliable");
    expect(report).not.toContain("breaks");
  });

  test("fails if a service sent something that the API description does not say", async () => {
    environment = { FAULTS_OF_RUN: JSON.stringify(["placeOrder: no test requests it"]) };
    const { code, output, lastLine } = await run({ first: PASSES });
    expect({ code, lastLine }).toEqual({ code: 1, lastLine: "1 passed, 1 failed" });
    expect(output).toContain("differ (CONTRIBUTING.md, Tests):\n  placeOrder: no test requests it\n");
  });

  test("counts a file that cannot be run as one failure", async () => {
    const { code, lastLine } = await run({ first: CANNOT_BE_RUN, second: PASSES });
    expect({ code, lastLine }).toEqual({ code: 1, lastLine: "1 passed, 1 failed" });
  });

  test("fails without a second run if more than five files fail", async () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const { code, output, lastLine } = await run(Object.fromEntries(names.map((name) => [name, FAILS_ONCE])));
    expect({ code, lastLine }).toEqual({ code: 1, lastLine: "6 passed, 6 failed, 6 skipped" });
    expect(output).toContain("6 test files failed: too many to run them again.");
    for (const name of names) expect(runsOf(name)).toBe(1);
  });

  test("runs chosen files once", async () => {
    const { code, lastLine } = await run({ first: FAILS_ONCE, second: PASSES }, "first");
    expect({ code, lastLine }).toEqual({ code: 1, lastLine: "1 passed, 1 failed, 1 skipped" });
    expect(runsOf("first")).toBe(1);
  });

  test("ends without a second run when it is interrupted", async () => {
    const { child, ended } = start({ first: HANGS, second: FAILS });
    await until("the test runs", () => existsSync(path.join(root, "first.test.cjs.runs")));
    child.kill("SIGINT");
    const { code, output } = await ended;
    expect(code).toBe(1);
    expect(output).not.toContain("again");
  });
});
