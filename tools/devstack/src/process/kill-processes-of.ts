// Kills the processes that work in a directory.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Kills every process whose command names the directory or a path below it. */
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

/** The commands with their arguments, by pid. */
function commands(): [number, string][] {
  if (process.platform === "linux") {
    const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return pids.map((pid) => [Number(pid), commandLine(pid)]);
  }
  const lines = execFileSync("ps", ["-axww", "-o", "pid=,command="], { encoding: "utf8" }).split("\n");
  return lines.map((line) => [Number.parseInt(line, 10), line]);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
