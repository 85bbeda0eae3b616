// Runs `npm run chaos -- --short` as a user does: only the faults that take the least time, on one node and on a cluster.
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { runScript } from "@tradepost/devstack";

const TIMEOUT_MS = 900_000;
// A run that hangs is ended before that, so that the failure shows at which fault.
const RUN_TIMEOUT_MS = 780_000;
// A machine on which broker nodes start and other tests run sustains this rate, to which the histories add twice as many requests.
// Above it, a request waits for a connection to the database until it gets 503, during faults that clients must not notice.
const QUICKLY = ["--events", "24", "--rate", "8", "--last-ms", "1000", "--steady-ms", "500"];

test(
  "loses nothing and delivers nothing uncommitted during the faults",
  async () => {
    const { results } = await runShort();
    expect(results.length).toBeGreaterThanOrEqual(2);
  },
  TIMEOUT_MS,
);

test(
  "loses nothing either when a cluster grows, a node is cut off, and a standby is promoted",
  async () => {
    const { results, stdout } = await runShort("--cluster");
    expect(results.length).toBeGreaterThanOrEqual(3);
    // `ops queues` shows name, ready, unacked, consumers, members, online.
    const queues = stdout.split("\n").filter((line) => line.startsWith("webhooks."));
    expect(queues.length).toBeGreaterThanOrEqual(5);
    for (const queue of queues) expect(queue).toMatch(/ 3 +3$/);
  },
  TIMEOUT_MS,
);

/** Resolves when the run has ended and everything it counted is as it must be. */
async function runShort(...more: string[]) {
  const json = path.join(tmpdir(), `tradepost-chaos-${process.pid}.json`);
  const ran = await runScript(
    "tools/chaos/src/chaos.ts",
    [...more, "--short", ...QUICKLY, "--json", json],
    {},
    { timeoutMs: RUN_TIMEOUT_MS },
  );
  expect(violationsIn(ran.stdout)).toEqual([]);
  expect(ran).toEqual({
    ...{ code: 0, stderr: "" },
    stdout: expect.stringContaining("Everything is accounted for."),
  });
  const { results } = JSON.parse(await readFile(json, "utf8"));
  await rm(json);
  for (const { counts } of results) {
    expect(counts).toMatchObject({ lost: 0, unexpected: 0, outOfOrder: 0, notLinearizable: 0 });
    expect(counts.unexpectedExits).toBe(0);
    expect(counts.delivered).toBe(counts.committed);
    expect(counts.committed).toBeGreaterThanOrEqual(counts.acknowledged);
  }
  return { results, stdout: ran.stdout };
}

/** Returns the lines of each fault with violations: its row, its notes, such as which requests failed, and the violations. */
function violationsIn(output: string): string[] {
  const lines = output.split("\n");
  return lines.flatMap((line, index) => {
    if (!line.startsWith("  violations:")) return [];
    const row = lines.slice(0, index).findLastIndex((earlier) => !earlier.startsWith("  "));
    return lines.slice(row, index + 1);
  });
}
