// Runs a receiver of the guide as its first lines say: in a folder of its own, on a port of its own.
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { until } from "@tradepost/testing";

// Beside the code, what a receiver's own `npm install` would have put there.
const NODE_MODULES = path.resolve(import.meta.dirname, "../../node_modules");
const HOW_TO_RUN = /^(?:\/\/|#) Save as (\S+); run with: (.+)$/m;
// A compiler with an empty cache takes its time.
const START_TIMEOUT_MS = 150_000;

// `node` is the one that runs this, whichever comes first on the machine.
const withThisNode = {
  ...process.env,
  PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
};

export interface ReceiverProgram {
  readonly url: string;
  /** How often the program has said that it handled that delivery. */
  handledCount(deliveryId: string): number;
  stop(): Promise<void>;
}

/** In: the program's code and the secret that it is to know. Out: the program, once it listens. */
export async function runReceiver(code: string, secret: string): Promise<ReceiverProgram> {
  const [, file, command] = HOW_TO_RUN.exec(code) ?? [];
  if (file === undefined || command === undefined) throw new Error("the program does not say how to run it");
  const folder = await mkdtemp(path.join(tmpdir(), "tradepost-receiver-"));
  await writeFile(path.join(folder, file), code);
  await symlink(NODE_MODULES, path.join(folder, "node_modules"));
  const port = await freePort();
  const program = spawn("bash", ["-c", command], {
    cwd: folder,
    env: { ...withThisNode, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
    // The shell and what it runs are one group, and end together.
    detached: true,
  });
  let stdout = "";
  let stderr = "";
  program.stdout.on("data", (chunk) => (stdout += chunk));
  program.stderr.on("data", (chunk) => (stderr += chunk));
  const closed = new Promise<void>((resolve) => program.once("close", () => resolve()));

  const stop = async () => {
    const hasEnded = program.exitCode !== null || program.signalCode !== null;
    if (program.pid !== undefined && !hasEnded) process.kill(-program.pid, "SIGTERM");
    await closed;
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}/hooks`;
  const listens = async () => {
    if (program.exitCode !== null) throw new Error(`the program ended: ${stderr}`);
    return await fetch(url).then(
      () => true,
      () => false,
    );
  };
  try {
    await until(`${file} to listen`, listens, START_TIMEOUT_MS);
  } catch (error) {
    await stop();
    throw error;
  }
  const handledCount = (deliveryId: string) => stdout.split(`handled ${deliveryId} `).length - 1;
  return { url, handledCount, stop };
}

/** Whether a command succeeds: whether the machine has a language, and of it what the guide needs. */
export function isAtHand(command: string): boolean {
  return spawnSync("bash", ["-c", command], { env: withThisNode }).status === 0;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}
