// Remembers the processes that were started, in files, and ends those that outlived a launcher which was
// killed. A process counts as ours only when its pid and its moment of birth are both the remembered ones.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Ends the process a pid file remembers, if that very process still lives, and removes the file. */
export async function endLeftover(pidFile: string, signal: NodeJS.Signals, withinMs: number): Promise<void> {
  const remembered = readRemembered(pidFile);
  if (remembered !== undefined && isAlive(remembered)) {
    process.kill(remembered.pid, signal);
    for (const deadline = Date.now() + withinMs; isAlive(remembered) && Date.now() < deadline; )
      await sleep(20);
    killGroup(remembered.pid);
    while (isAlive(remembered)) await sleep(20);
  }
  rmSync(pidFile, { force: true });
}

/** With the flag "wx", throws EEXIST where the file already stands. */
export function rememberPid(pidFile: string, pid: number, flag: "w" | "wx" = "w"): void {
  writeFileSync(pidFile, JSON.stringify({ pid, born: birthOf(pid) }), { mode: 0o600, flag });
}

export function forgetPid(pidFile: string): void {
  rmSync(pidFile, { force: true });
}

/** The pid in a pid file, if the process that was remembered there still lives. */
export function livingPid(pidFile: string): number | undefined {
  const remembered = readRemembered(pidFile);
  return remembered !== undefined && isAlive(remembered) ? remembered.pid : undefined;
}

/** The name of the program a pid runs; undefined where the process is gone, or dead and not yet collected. */
export function programOf(pid: number): string | undefined {
  try {
    if (process.platform === "linux") {
      return birthOf(pid) === undefined ? undefined : readFileSync(`/proc/${pid}/comm`, "utf8").trim();
    }
    const [state, program] = execFileSync("ps", ["-o", "stat=,comm=", "-p", String(pid)], {
      encoding: "utf8",
    })
      .trim()
      .split(/\s+/, 2);
    return state?.startsWith("Z") ? undefined : program;
  } catch {
    return undefined;
  }
}

interface Remembered {
  pid: number;
  born: string;
}

function readRemembered(pidFile: string): Remembered | undefined {
  try {
    return JSON.parse(readFileSync(pidFile, "utf8")) as Remembered;
  } catch {
    return undefined;
  }
}

function isAlive({ pid, born }: Remembered): boolean {
  return birthOf(pid) === born;
}

/** When a process was born, as text that no other process of that pid shares; undefined when there is none. */
function birthOf(pid: number): string | undefined {
  try {
    if (process.platform !== "linux")
      return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    // The name stands in brackets and may hold spaces; after it, the 1st field is the state, the 20th the birth.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return fields[0] === "Z" ? undefined : `${boot} ${fields[19]}`;
  } catch {
    return undefined;
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody is left in it.
  }
}
