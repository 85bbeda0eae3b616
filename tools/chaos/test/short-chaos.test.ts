// The promise, kept through the faults that take least time: `npm run chaos -- --short`, as a user runs it.
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { runScript } from "@tradepost/devstack";

test("nothing is lost, and nothing comes that was not committed, whatever dies", async () => {
  const json = path.join(tmpdir(), `tradepost-chaos-${process.pid}.json`);
  const ran = await runScript(
    "tools/chaos/src/chaos.ts",
    ["--short", "--events", "150", "--rate", "30", "--last-ms", "2000", "--json", json],
    {},
  );
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("The ledger adds up") });
  const { results } = JSON.parse(await readFile(json, "utf8"));
  expect(results.length).toBeGreaterThanOrEqual(5);
  for (const { row } of results) {
    expect(row).toMatchObject({ lost: 0, unexpected: 0, outOfOrder: 0, unexpectedExits: 0 });
    expect(row.delivered).toBe(row.committed);
    expect(row.committed).toBeGreaterThanOrEqual(row.acknowledged);
  }
}, 900_000);
