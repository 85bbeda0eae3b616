// Starts one program of ours and ends it: a private server or a service. Everything that `npm start` and
// `npm test` keep running goes through here, so that nothing outlives them unnoticed.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { forgetPid, rememberPid } from "./leftovers.ts";

/** A program that runs. `ended` resolves, with a reason fit for a sentence, when it has stopped for any cause. */
export interface Running {
  readonly pid: number;
  readonly ended: Promise<string>;
  /** Asks the program to stop, and makes it after a deadline. Resolves when it is gone; calling twice is harmless. */
  stop(): Promise<void>;
  /** Ends the program and its helpers at once, without a chance to tidy up. */
  kill(): void;
}

/** A program that can be started, and started again: always with the same addresses. */
export interface Startable {
  readonly name: string;
  /**
   * Resolves when the program does its work. Rejects with a sentence that says why it does not, or because
   * `signal` was aborted meanwhile; either way it has left nothing running.
   */
  start(signal?: AbortSignal): Promise<Running>;
  /**
   * Resolves to whether the running program answers `/healthz` with 200 within a time. A program that has this is
   * ended and started again when it no longer answers; the watch begins when `start` has resolved.
   */
  answersHealthz?(withinMs: number): Promise<boolean>;
}

export interface Launch {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  /** Output is appended here. */
  logFile: string;
  /** Where the process is remembered for a later start, should this launcher be killed. */
  pidFile: string;
  /** SIGKILL where nothing is worth saving. */
  stopSignal: NodeJS.Signals;
  stopWithinMs: number;
  /** The account to run as; the launcher's own when undefined. */
  account?: { uid: number; gid: number } | undefined;
}

/**
 * Starts a program in a session of its own: Ctrl-C in a terminal reaches the launcher only, which then ends
 * what it started in the right order. Throws when the program cannot be run at all.
 */
export function launch(what: Launch): Running {
  const log = openSync(what.logFile, "a", 0o600);
  const child = spawn(what.command, what.args, {
    cwd: what.cwd,
    env: what.env,
    detached: true,
    stdio: ["ignore", log, log],
    ...what.account,
  });
  closeSync(log);
  const ended = whenEnded(child).then((reason) => {
    forgetPid(what.pidFile);
    return reason;
  });
  const { pid } = child;
  if (pid === undefined)
    throw new Error(`${what.name} cannot be run: ${what.command} is missing or not executable`);
  rememberPid(what.pidFile, pid);
  return { pid, ended, stop: () => stop(pid, ended, what), kill: () => signalQuietly(-pid, "SIGKILL") };
}

/**
 * Waits until `isReady` answers true. Rejects when the program ends first or `withinMs` pass, with the last
 * lines of its log: they are what a person would look at next.
 */
export async function waitUntilReady(
  running: Running,
  what: { name: string; logFile: string; withinMs: number },
  isReady: () => Promise<boolean>,
  signal?: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + what.withinMs;
  let reason: string | undefined;
  void running.ended.then((said) => {
    reason = said;
  });
  for (;;) {
    // What answers when the program has ended is something else, which has taken its port.
    if ((await isReady()) && reason === undefined) return;
    if (signal?.aborted) reason = "told to stop";
    if (Date.now() > deadline) reason ??= `not ready after ${what.withinMs / 1000} s`;
    if (reason !== undefined) {
      await running.stop();
      throw new Error(
        `${what.name} did not start (${reason}). The end of ${what.logFile}:\n${tail(what.logFile)}`,
      );
    }
    await sleep(50);
  }
}

/** Starts programs one after the other; when one fails, ends those already started, and rejects. */
export async function startAll(startables: Startable[]): Promise<Running[]> {
  const started: Running[] = [];
  try {
    for (const startable of startables) started.push(await startable.start());
  } catch (error) {
    await stopAll(started);
    throw error;
  }
  return started;
}

/** Ends programs in the reverse of the order they were started in. */
export async function stopAll(running: Pick<Running, "stop">[]): Promise<void> {
  for (const one of running.toReversed()) await one.stop();
}

function whenEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`));
  });
}

async function stop(pid: number, ended: Promise<string>, what: Launch): Promise<void> {
  signalQuietly(pid, what.stopSignal);
  const deadline = new AbortController();
  const late = sleep(what.stopWithinMs, "late", { signal: deadline.signal }).catch(() => "in time");
  if ((await Promise.race([ended, late])) === "late") signalQuietly(pid, "SIGKILL");
  deadline.abort();
  await ended;
  // Helpers of the program that did not notice its end share its process group.
  signalQuietly(-pid, "SIGKILL");
}

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already.
  }
}

function tail(file: string): string {
  return readFileSync(file, "utf8").trimEnd().split("\n").slice(-8).join("\n");
}
