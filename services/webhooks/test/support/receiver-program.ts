// Runs a receiver of the guide in its own folder and on its own port, with the command that its first lines name.
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort, until } from "@tradepost/testing";

// The packages that a receiver's `npm install` would have put next to the code.
const NODE_MODULES = path.resolve(import.meta.dirname, "../../node_modules");
const HOW_TO_RUN = /^(?:\/\/|#) Save as (\S+); run with: (.+)$/m;
// A compiler with an empty cache is slow.
const START_TIMEOUT_MS = 150_000;

// `node` is the binary that runs this test, not the first one in the PATH.
const withThisNode = {
  ...process.env,
  PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
};

export type ReceiverProgram = Awaited<ReturnType<typeof runReceiver>>;

/** Starts a program with a signing secret. Resolves when it listens. */
export async function runReceiver(code: string, secret: string) {
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
    // The shell and its children are one process group, and end together.
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
  /** How often the program has printed that it handled the delivery. */
  const handledCount = (deliveryId: string) => stdout.split(`handled ${deliveryId} `).length - 1;
  return { url, handledCount, stop };
}

/** Whether the command succeeds, which shows that a language and the packages that the guide needs are installed. */
export function isInstalled(command: string): boolean {
  return spawnSync("bash", ["-c", command], { env: withThisNode }).status === 0;
}
