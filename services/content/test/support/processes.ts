// Reads /proc for a process's children, environment and memory. Linux only.
import { readdirSync, readFileSync } from "node:fs";

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly residentBytes: number;
}

const PAGE_BYTES = 4_096;

export function decodersOf(parent: number): number[] {
  return childrenOf(parent).filter((pid) => read(pid, "cmdline").includes("/image/decoder."));
}

export function childrenOf(parent: number): number[] {
  return allProcesses()
    .filter((one) => one.parent === parent)
    .map(({ pid }) => pid);
}

/** The resident memory of a process and its descendants together. */
export function treeBytes(root: number): number {
  const all = allProcesses();
  const sum = (pid: number): number =>
    all.filter((one) => one.parent === pid).reduce((bytes, child) => bytes + sum(child.pid), 0) +
    (all.find((one) => one.pid === pid)?.residentBytes ?? 0);
  return sum(root);
}

export function isAlive(pid: number): boolean {
  // A process that has ended and that its parent has not waited for is a zombie.
  return /^State:\s+[^ZX]/m.test(read(pid, "status"));
}

export function environmentOf(pid: number): string[] {
  return read(pid, "environ").split("\0").filter(Boolean);
}

function allProcesses(): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      // `pid (name) state parent … resident`; the name may contain blanks and brackets.
      const fields = read(Number(name), "stat")
        .replace(/^.*\) /s, "")
        .split(" ");
      const resident = Number(fields[21] ?? 0) * PAGE_BYTES;
      return fields.length < 22
        ? []
        : [{ pid: Number(name), parent: Number(fields[1]), residentBytes: resident }];
    });
}

/** Empty if the process does not exist. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
