// Runs one bench of each kind for a moment and checks that it measures something: requests, deliveries, and the time that
// something takes. The figures themselves mean nothing here.
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT, runScript } from "@tradepost/devstack";
import type { Comparison } from "../src/ratios.ts";
import type { Result } from "../src/result.ts";

const NAMES = ["orders", "relay", "fan-out"];

test("npm run bench -- --short measures and writes its results", async () => {
  const { stdout, written } = await runBench(NAMES);
  const { results } = written as { results: Result[] };
  expect(results.map(({ name }) => name)).toEqual(NAMES);
  for (const { name, measured, baseline, latencies = {} } of results) {
    const present = [measured, baseline].filter((figure) => figure !== undefined);
    expect(present.length).toBeGreaterThan(0);
    expect(present.every((figure) => figure > 0)).toBe(true);
    // 0 if nothing was measured at this rate: on a busy machine the moment is too short.
    const percentiles = Object.values(latencies).flatMap(Object.values);
    expect(percentiles.every((milliseconds) => milliseconds >= 0)).toBe(true);
    expect(stdout).toContain(`${name}: `);
  }
}, 900_000);

const isInGit = existsSync(path.join(ROOT, ".git"));
const testInGit = isInGit ? test : test.skip;

testInGit(
  `compares two commits${isInGit ? "" : " (NOT TESTED: this copy has no history)"}`,
  async () => {
    const { stdout, written } = await runBench(["fan-out", "--beside", "HEAD"]);
    const { comparisons } = written as { comparisons: Comparison[] };
    expect(comparisons.length).toBeGreaterThan(0);
    for (const { figure, ratio } of comparisons) {
      expect(ratio?.lowest).toBeGreaterThan(0);
      expect(stdout).toContain(figure);
    }
  },
  900_000,
);

async function runBench(options: readonly string[]): Promise<{ stdout: string; written: unknown }> {
  const directory = await mkdtemp(path.join(tmpdir(), "tradepost-bench-test-"));
  const json = path.join(directory, "results.json");
  const ran = await runScript("tools/bench/src/bench.ts", [...options, "--short", "--json", json], {});
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  const written = JSON.parse(await readFile(json, "utf8")) as unknown;
  await rm(directory, { recursive: true });
  return { stdout: ran.stdout, written };
}
