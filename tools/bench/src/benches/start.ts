// The time that `npm start` takes if its data exists from an earlier start.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { median } from "../statistics.ts";
import type { Bench } from "./bench.ts";

const ROOT = path.resolve(import.meta.dirname, "../../../..");

export const start: Bench = {
  name: "start",
  description: "`npm start` until it prints ready, with the data of an earlier start",
  target: "≤ 15 s",
  run: async ({ scale }) => {
    const dataDir = await mkdtemp(path.join(tmpdir(), "tradepost-bench-start-"));
    await chmod(dataDir, 0o755);
    try {
      if (!scale.isShort) await secondsToStart(dataDir);
      const seconds: number[] = [];
      for (let turn = 0; turn < scale.turns; turn += 1) seconds.push(await secondsToStart(dataDir));
      return { unit: "s", measured: median(seconds) };
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
    // The launcher gets its own process group, which can receive the signal of Ctrl-C.
    detached: true,
  });
  let output = "";
  const ready = new Promise<number>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output += String(chunk);
      if (/^ready /m.test(output)) resolve((performance.now() - startedAt) / 1_000);
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.once("exit", () => reject(new Error(`npm start exited: ${output.slice(-500)}`)));
  });
  const seconds = await ready;
  process.kill(-(child.pid ?? 0), "SIGINT");
  await once(child, "exit");
  return seconds;
}
