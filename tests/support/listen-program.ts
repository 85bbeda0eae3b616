// The program `tradepost listen` as a child process, and a receiver for it on this machine.
import { type ChildProcess, spawn } from "node:child_process";
import http from "node:http";
import path from "node:path";
import { COMPILE_CACHE_DIR } from "@tradepost/devstack";
import { listenLocally, until } from "@tradepost/testing";

const PROGRAM = path.resolve(import.meta.dirname, "../../packages/client/src/cli/tradepost.ts");

export interface ListenProgram {
  readonly child: ChildProcess;
  /** Returns the text printed for people. */
  notes(): string;
  /** Returns the lines printed for deliveries. */
  lines(): string[];
  ready(): Promise<void>;
  /** Sends a signal and resolves with the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
  readonly exited: Promise<number | null>;
}

/** Starts `tradepost listen`. `environment` sets the platform and the directory of secrets. */
export function startListening(environment: Record<string, string>, ...args: string[]): ListenProgram {
  return startProgram(environment, "listen", ...args);
}

/** Starts `tradepost` with another command. */
export function startProgram(environment: Record<string, string>, ...args: string[]): ListenProgram {
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
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    notes += text;
  });
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    child,
    notes: () => notes,
    lines: () => output.split("\n").filter((line) => line !== ""),
    ready: async () =>
      void (await until("the program is ready", () => notes.includes("ready: ") || undefined)),
    end: (signal = "SIGINT") => {
      child.kill(signal);
      return exited;
    },
    exited,
  };
}

export interface ReceivedHook {
  readonly headers: http.IncomingHttpHeaders;
  readonly path: string;
  readonly body: Buffer;
}

export interface LocalReceiver extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly ReceivedHook[];
}

/** Starts a receiver. `respond` decides the status of each response; 204 by default. */
export async function startLocalReceiver(
  respond: (res: http.ServerResponse, hook: ReceivedHook) => void = (res) => res.writeHead(204).end(),
): Promise<LocalReceiver> {
  const received: ReceivedHook[] = [];
  const server = http.createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const hook = { headers: req.headers, path: req.url ?? "", body: Buffer.concat(chunks) };
    received.push(hook);
    respond(res, hook);
  });
  const { url, stop } = await listenLocally(server);
  return { url: `${url}/hooks`, received, [Symbol.asyncDispose]: stop };
}
