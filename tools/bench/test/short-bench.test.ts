// Runs every bench for a moment and checks that it measures something. The figures themselves mean nothing here.
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { runScript } from "@tradepost/devstack";
import { benches } from "../src/benches/all.ts";
import type { Result } from "../src/result.ts";

test("npm run bench -- --short runs every bench", async () => {
  const json = path.join(tmpdir(), `tradepost-bench-${process.pid}.json`);
  const ran = await runScript("tools/bench/src/bench.ts", ["--short", "--json", json], {});
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  const { results } = JSON.parse(await readFile(json, "utf8")) as { results: Result[] };
  await rm(json);
  expect(results.map(({ name }) => name)).toEqual(benches.map(({ name }) => name));
  for (const { name, measured, baseline, latencies = {} } of results) {
    const figures = [measured, baseline, ...Object.values(latencies).flatMap(Object.values)];
    const present = figures.filter((figure) => figure !== undefined);
    expect(present.length).toBeGreaterThan(0);
    expect(present.every((figure) => figure > 0)).toBe(true);
    expect(ran.stdout).toContain(`${name}: `);
  }
}, 900_000);
