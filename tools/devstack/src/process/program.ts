// Starts and stops a program, such as a server. All processes of `npm start` and `npm test` are started here, so
// that none outlives them unnoticed.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { copyFile, stat, truncate } from "node:fs/promises";
import path from "node:path";
import { repeat, settlesWithin, sleep } from "@tradepost/runtime";
import { writePidFile } from "./orphans.ts";

export interface RunningProcess {
  readonly pid: number;
  /** Resolves with the reason when the process has exited: "exit code 1", "signal SIGKILL". */
  readonly ended: Promise<string>;
  /** Asks the process to stop and kills it after a deadline. Resolves when it has exited; may be called twice. */
  stop(): Promise<void>;
  /** Kills the process and its children. */
  kill(): void;
}

export interface Program {
  readonly name: string;
  /**
   * Resolves when the program is ready. Rejects with the reason if it does not start or `signal` is aborted; in that case no
   * process of it is left.
   */
  start(signal?: AbortSignal): Promise<RunningProcess>;
  /** Resolves to whether `/healthz` responds with 200 in time. A program without it is not watched for freezes. */
  isLive?(timeoutMs: number): Promise<boolean>;
}

export interface LaunchOptions {
  name: string;
  command: string;
  args: readonly string[];
  env: Record<string, string>;
  cwd: string;
  logFile: string;
  logLimit?: typeof LOG_LIMIT;
  /** Lets a later launcher identify the process if this one is killed. */
  pidFile: string;
  stopSignal: NodeJS.Signals;
  /** After this time, `stop` sends SIGKILL. */
  stopTimeoutMs: number;
  account?: { uid: number; gid: number } | undefined;
}

/**
 * Starts a program in its own session: Ctrl-C in a terminal reaches only the launcher, which then stops its programs in the right
 * order. Throws if the command does not exist or is not executable.
 */
function launch(options: LaunchOptions): RunningProcess {
  const log = openSync(options.logFile, "a", 0o600);
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: ["ignore", log, log],
    ...options.account,
  });
  closeSync(log);
  const logLimit = keepLogShort(options.logFile, options.logLimit ?? LOG_LIMIT);
  const ended = whenEnded(child).then((reason) => {
    void logLimit.stop();
    rmSync(options.pidFile, { force: true });
    return reason;
  });
  const { pid } = child;
  if (pid === undefined)
    throw new Error(`${options.name} cannot be run: ${options.command} is missing or not executable`);
  writePidFile(options.pidFile, pid);
  return { pid, ended, stop: () => stop(pid, ended, options), kill: () => signalQuietly(-pid, "SIGKILL") };
}

/**
 * Launches a program, and polls until `isReady` resolves to true. Rejects when the program exits first, `timeoutMs` pass or `signal` is
 * aborted, with the last lines that it logged.
 */
export async function launchUntilReady(
  options: LaunchOptions,
  ready: { timeoutMs: number; isReady: () => Promise<boolean>; title?: string },
  signal?: AbortSignal,
): Promise<RunningProcess> {
  const { logFile, name } = options;
  const begun = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  const running = launch(options);
  const { title = name, timeoutMs, isReady } = ready;
  const deadline = Date.now() + timeoutMs;
  let reason: string | undefined;
  void running.ended.then((ended) => {
    reason ??= ended;
  });
  for (;;) {
    // If the program has exited, the response is from another program that took its port.
    if ((await isReady()) && reason === undefined) return running;
    if (signal?.aborted) reason = "stopped";
    if (Date.now() > deadline) reason ??= `not ready after ${timeoutMs / 1000} s`;
    if (reason !== undefined) {
      await running.stop();
      throw new Error(`${title} did not start (${reason}). The end of ${logFile}:\n${tail(logFile, begun)}`);
    }
    await sleep(50);
  }
}

type ServerOptions = Omit<LaunchOptions, "name" | "args" | "cwd" | "logFile" | "pidFile"> &
  Partial<Pick<LaunchOptions, "args" | "cwd">>;

/** A server with its log and its pid file in `directory`, where it also runs by default. */
export function serverProgram(
  directory: string,
  name: string,
  options: ServerOptions,
  ready: Parameters<typeof launchUntilReady>[1],
): Program {
  const files = {
    logFile: path.join(directory, `${name}.log`),
    pidFile: path.join(directory, `${name}.pid`),
  };
  const launched = { name, args: [], cwd: directory, ...files, ...options };
  return { name, start: (signal) => launchUntilReady(launched, ready, signal) };
}

export async function startAll(programs: readonly Program[]): Promise<RunningProcess[]> {
  const started: RunningProcess[] = [];
  try {
    for (const program of programs) started.push(await program.start());
  } catch (error) {
    await stopAll(started);
    throw error;
  }
  return started;
}

export async function stopAll(running: readonly Pick<RunningProcess, "stop">[]): Promise<void> {
  for (const process of running.toReversed()) await process.stop();
}

function whenEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
  });
}

async function stop(pid: number, ended: Promise<string>, options: LaunchOptions): Promise<void> {
  signalQuietly(pid, options.stopSignal);
  if (!(await settlesWithin(ended, options.stopTimeoutMs))) signalQuietly(pid, "SIGKILL");
  await ended;
  // Children that the program left behind are in its process group.
  signalQuietly(-pid, "SIGKILL");
}

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has exited already.
  }
}

/** The last lines from an offset in bytes. */
function tail(file: string, begun: number): string {
  return readFileSync(file).subarray(begun).toString().trimEnd().split("\n").slice(-8).join("\n");
}

// A file of this size is copied and emptied. Together with the copy it takes about twice this: about 35,000 webhooks in the log that
// grows fastest.
const LOG_LIMIT = { bytesMax: 32 * 1024 * 1024, checkEveryMs: 5_000 };

function keepLogShort(logFile: string, { bytesMax, checkEveryMs }: typeof LOG_LIMIT) {
  return repeat(async () => {
    await shorten(logFile, bytesMax);
    return checkEveryMs;
  });
}

async function shorten(logFile: string, bytesMax: number): Promise<void> {
  try {
    if ((await stat(logFile)).size < bytesMax) return;
    await copyFile(logFile, `${logFile}.1`);
    await truncate(logFile);
  } catch {
    // Somebody deleted the file, or the disk is full. The next check tries again.
  }
}
