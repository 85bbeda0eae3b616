// How long `npm start` takes when everything is there already: what somebody waits for every morning.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Bench } from "../bench-type.ts";
import { median } from "../statistics.ts";

const ROOT = path.resolve(import.meta.dirname, "../../../..");

export const start: Bench = {
  name: "start",
  what: "`npm start` until it says ready, its data there from an earlier start",
  target: "≤ 15 s",
  run: async ({ scale }) => {
    const dataDir = await mkdtemp(path.join(tmpdir(), "tradepost-bench-start-"));
    await chmod(dataDir, 0o755);
    try {
      if (!scale.isShort) await secondsToStart(dataDir);
      const seconds: number[] = [];
      for (let turn = 0; turn < scale.turns; turn += 1) seconds.push(await secondsToStart(dataDir));
      return { unit: "s", ours: median(seconds) };
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

async function secondsToStart(dataDir: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn("npm", ["start"], {
    cwd: ROOT,
    env: { ...process.env, TRADEPOST_DATA_DIR: dataDir, PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, which can be told to stop as Ctrl-C tells it.
    detached: true,
  });
  let said = "";
  const ready = new Promise<number>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      said += String(chunk);
      if (/^ready /m.test(said)) resolve((performance.now() - startedAt) / 1_000);
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.once("exit", () => reject(new Error(`npm start ended: ${said.slice(-500)}`)));
  });
  const seconds = await ready;
  process.kill(-(child.pid ?? 0), "SIGINT");
  await once(child, "exit");
  return seconds;
}
