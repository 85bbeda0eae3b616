// Runs one bench of each kind for a moment and checks that it measures something: requests, deliveries, and the time that
// something takes. The figures themselves mean nothing here.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { runScript } from "@tradepost/devstack";
import type { Result } from "../src/result.ts";

const NAMES = ["orders", "relay", "fan-out"];

test("npm run bench -- --short measures and writes its results", async () => {
  const directory = await mkdtemp(path.join(tmpdir(), "tradepost-bench-test-"));
  const json = path.join(directory, "results.json");
  const options = [...NAMES, "--short", "--json", json];
  const ran = await runScript("tools/bench/src/bench.ts", options, {});
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  const { results } = JSON.parse(await readFile(json, "utf8")) as { results: Result[] };
  await rm(directory, { recursive: true });
  expect(results.map(({ name }) => name)).toEqual(NAMES);
  for (const { name, measured, baseline, latencies = {} } of results) {
    const present = [measured, baseline].filter((figure) => figure !== undefined);
    expect(present.length).toBeGreaterThan(0);
    expect(present.every((figure) => figure > 0)).toBe(true);
    // 0 if nothing was measured at this rate: on a busy machine the moment is too short.
    const percentiles = Object.values(latencies).flatMap(Object.values);
    expect(percentiles.every((milliseconds) => milliseconds >= 0)).toBe(true);
    expect(ran.stdout).toContain(`${name}: `);
  }
}, 900_000);
