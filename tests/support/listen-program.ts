// The program `tradepost listen` as a child process.
import { spawn } from "node:child_process";
import path from "node:path";
import { COMPILE_CACHE_DIR } from "@tradepost/devstack";
import { until } from "@tradepost/testing";

const PROGRAM = path.resolve(import.meta.dirname, "../../packages/client/src/cli/tradepost.ts");

export type ListenProgram = ReturnType<typeof startProgram>;

/** Starts `tradepost listen`. `environment` sets the platform and the directory of secrets. */
export function startListening(environment: Record<string, string>, ...args: string[]) {
  return startProgram(environment, "listen", ...args);
}

/** Starts `tradepost` with another command. */
export function startProgram(environment: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, ["--conditions=source", PROGRAM, ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_NO_WARNINGS: "1",
      NODE_COMPILE_CACHE: COMPILE_CACHE_DIR,
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [output, notes] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (notes += text));
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    child,
    /** Returns the text printed for people. */
    notes: () => notes,
    /** Returns the lines printed for deliveries. */
    lines: () => output.split("\n").filter((line) => line !== ""),
    ready: () => until("the program is ready", () => notes.includes("ready: ")),
    /** Sends a signal and resolves with the exit code. */
    end: (signal: NodeJS.Signals = "SIGINT") => {
      child.kill(signal);
      return exited;
    },
    exited,
  };
}
