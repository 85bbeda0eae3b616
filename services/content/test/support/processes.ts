// What /proc says of processes: who started whom, with which environment, in how much memory. Linux only.
import { readdirSync, readFileSync } from "node:fs";

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly residentBytes: number;
}

const PAGE_BYTES = 4_096;

/** The decoders that a process has running. */
export function decodersOf(parent: number): number[] {
  return childrenOf(parent).filter((pid) => read(pid, "cmdline").includes("/image/decoder."));
}

export function childrenOf(parent: number): number[] {
  return allProcesses()
    .filter((one) => one.parent === parent)
    .map(({ pid }) => pid);
}

/** The resident memory of a process and all that it started, added up. */
export function treeBytes(root: number): number {
  const all = allProcesses();
  const sum = (pid: number): number =>
    all.filter((one) => one.parent === pid).reduce((bytes, child) => bytes + sum(child.pid), 0) +
    (all.find((one) => one.pid === pid)?.residentBytes ?? 0);
  return sum(root);
}

export function isAlive(pid: number): boolean {
  // One that has ended and was not waited for yet is a zombie.
  return /^State:\s+[^ZX]/m.test(read(pid, "status"));
}

export function environmentOf(pid: number): string[] {
  return read(pid, "environ").split("\0").filter(Boolean);
}

function allProcesses(): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      // `pid (name) state parent … resident`: the name may hold blanks and brackets.
      const fields = read(Number(name), "stat")
        .replace(/^.*\) /s, "")
        .split(" ");
      const resident = Number(fields[21] ?? 0) * PAGE_BYTES;
      return fields.length < 22
        ? []
        : [{ pid: Number(name), parent: Number(fields[1]), residentBytes: resident }];
    });
}

/** Empty where the process is gone. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
