// Records started processes in pid files, and ends processes that outlived a killed launcher. A process is
// identified by its pid and its start time, because the system reuses pids.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { sleep } from "@tradepost/runtime";
import { processIds, statOf } from "./proc.ts";

/** Ends the process in a pid file with `signal`, after `timeoutMs` with SIGKILL, and removes the file. */
export async function endOrphan(pidFile: string, signal: NodeJS.Signals, timeoutMs: number): Promise<void> {
  const recorded = readPidFile(pidFile);
  if (recorded !== undefined && isAlive(recorded)) {
    process.kill(recorded.pid, signal);
    for (const deadline = Date.now() + timeoutMs; isAlive(recorded) && Date.now() < deadline; )
      await sleep(20);
    killGroup(recorded.pid);
    while (isAlive(recorded)) await sleep(20);
  }
  rmSync(pidFile, { force: true });
}

/** With the flag "wx", throws EEXIST if the file already exists. */
export function writePidFile(pidFile: string, pid: number, flag: "w" | "wx" = "w"): void {
  writeFileSync(pidFile, JSON.stringify({ pid, born: startTimeOf(pid) }), { mode: 0o600, flag });
}

export function livingPid(pidFile: string): number | undefined {
  const recorded = readPidFile(pidFile);
  return recorded !== undefined && isAlive(recorded) ? recorded.pid : undefined;
}

interface RecordedProcess {
  pid: number;
  /** The start time, as `startTimeOf` returned it. */
  born: string;
}

function readPidFile(pidFile: string): RecordedProcess | undefined {
  try {
    return JSON.parse(readFileSync(pidFile, "utf8")) as RecordedProcess;
  } catch {
    return undefined;
  }
}

function isAlive({ pid, born }: RecordedProcess): boolean {
  return startTimeOf(pid) === born;
}

function startTimeOf(pid: number): string | undefined {
  try {
    if (process.platform !== "linux")
      return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const fields = statOf(pid);
    const [state, startTime] = [fields[0], fields[19]];
    return state === "Z" || startTime === undefined ? undefined : `${boot} ${startTime}`;
  } catch {
    return undefined;
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has no process left.
  }
}

export function killProcessesOf(directory: string): void {
  for (const [pid, command] of commands()) {
    if (!command.includes(directory) || pid === process.pid) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has exited already, or belongs to another user.
    }
  }
}

/** Whether the process runs, and its command line contains `name`. A zombie's is empty. */
export function runsAs(pid: number, name: string): boolean {
  return commands().some(([one, command]) => one === pid && command.includes(name));
}

function commands(): [number, string][] {
  if (process.platform === "linux") {
    return processIds().map((pid) => [pid, commandLine(pid)]);
  }
  const lines = execFileSync("ps", ["-axww", "-o", "pid=,command="], { encoding: "utf8" }).split("\n");
  return lines.map((line) => [Number.parseInt(line, 10), line]);
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
