// Searches a model in Promela with Spin, which writes the search as a program in C; or simulates one execution.
import { execFile, execFileSync } from "node:child_process";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Where Spin is available, a C compiler is too. */
const SPIN = process.env.TEST_SPIN ?? "";

/** `describe` for tests that need Spin. Without it they are skipped, and `npm test` says so. */
export const describeWithSpin = SPIN === "" ? describe.skip : describe;

const DELIVERY_MODEL = path.resolve(import.meta.dirname, "../recovery/delivery.pml");
const DEPTH_MAX = 10_000;
const MEMORY_MIB_MAX = 3_000;

export type Macros = Readonly<Record<string, number | true>>;

/** Searches all executions; with `forCycles` also for an execution that never ends. Rejects if the search is not complete. */
export async function searchDeliveryModel(macros: Macros, { forCycles = false } = {}) {
  await using directory = await mkdtempDisposable(path.join(tmpdir(), "tradepost-model-"));
  const inDirectory = { cwd: directory.path, maxBuffer: 16 * 1024 * 1024 };
  await run(SPIN, [...flagsOf(macros), "-a", DELIVERY_MODEL], inDirectory);
  const mode = forCycles ? "-DNP" : "-DSAFETY";
  await run("gcc", ["-w", "-O1", mode, `-DMEMLIM=${MEMORY_MIB_MAX}`, "-o", "pan", "pan.c"], inDirectory);
  const options = [`-m${DEPTH_MAX}`, ...(forCycles ? ["-l"] : [])];
  return resultOf((await run(path.join(directory.path, "pan"), options, inDirectory)).stdout);
}

/** The lines that one random execution of the model prints. */
export function simulateDeliveryModel(macros: Macros, seed: number): string[] {
  const printed = execFileSync(SPIN, [...flagsOf(macros), `-n${seed}`, DELIVERY_MODEL], {
    encoding: "utf8",
  });
  return printed.split("\n").map((line) => line.trim());
}

/** `violation` is null if every execution keeps to the assertions and ends where it may. */
function resultOf(output: string) {
  const violation = output.match(/^pan:\d+: (.+)$/m)?.[1] ?? null;
  if (violation === null && (/not completed|too small/.test(output) || !output.includes("errors: 0"))) {
    throw new Error(`the search is not complete:\n${output}`);
  }
  // The statements that no execution reaches, each with its line.
  const unreached = [...output.matchAll(/^\t.*pml:(\d+), state \d+, "(.+)"$/gm)]
    .map(([, line, statement]) => `${line}: ${statement}`)
    // The end of a process that runs forever.
    .filter((statement) => !statement.endsWith("-end-"));
  return { violation, unreached };
}

function flagsOf(macros: Macros): string[] {
  return Object.entries(macros).map(([name, value]) => (value === true ? `-D${name}` : `-D${name}=${value}`));
}
