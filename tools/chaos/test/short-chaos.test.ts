// Runs `npm run chaos -- --short` as a user does: only the faults that take the least time.
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { runScript } from "@tradepost/devstack";

test("loses nothing and delivers nothing uncommitted during the faults", async () => {
  const json = path.join(tmpdir(), `tradepost-chaos-${process.pid}.json`);
  const ran = await runScript(
    "tools/chaos/src/chaos.ts",
    ["--short", "--events", "60", "--rate", "20", "--last-ms", "1000", "--steady-ms", "500", "--json", json],
    {},
  );
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("Everything is accounted for.") });
  const { results } = JSON.parse(await readFile(json, "utf8"));
  await rm(json);
  expect(results.length).toBeGreaterThanOrEqual(5);
  for (const { counts } of results) {
    expect(counts).toMatchObject({ lost: 0, unexpected: 0, outOfOrder: 0, unexpectedExits: 0 });
    expect(counts.delivered).toBe(counts.committed);
    expect(counts.committed).toBeGreaterThanOrEqual(counts.acknowledged);
  }
}, 900_000);
