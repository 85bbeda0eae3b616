// The resident memory of a process, and of a process with its descendants.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { ServiceName } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import type { ChaosPlatform } from "./platform.ts";

/** Undefined if it has exited. */
export async function residentMiB(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const [, kibibytes = await readFromPs(pid)] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kibibytes === undefined ? undefined : Math.round(Number(kibibytes) / 1_024);
}

/** Without /proc, only the processes themselves are counted. */
async function processTreesMiB(pids: readonly number[]): Promise<number[]> {
  const parents = await readParents();
  return await Promise.all(
    pids.map(async (pid) => {
      const sizes = await Promise.all([...treeOf(pid, parents)].map(residentMiB));
      return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
    }),
  );
}

function treeOf(pid: number, parents: readonly [child: number, parent: number][]): Set<number> {
  const tree = new Set([pid]);
  // A child may be listed before its parent: repeat until nothing is added.
  for (let size = 0; size !== tree.size; ) {
    size = tree.size;
    for (const [child, parent] of parents) if (tree.has(parent)) tree.add(child);
  }
  return tree;
}

async function readFromPs(pid: number): Promise<string | undefined> {
  const ps = promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
  return await ps.then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
}

async function readParents(): Promise<[child: number, parent: number][]> {
  const names = await readdir("/proc").catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name));
  const lines = pids.map(async (pid): Promise<[number, number][]> => {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    // The program's name is in parentheses and may contain spaces; the state and the parent follow it.
    const parent = stat.split(") ").at(-1)?.split(" ")[1];
    return parent === undefined ? [] : [[Number(pid), Number(parent)]];
  });
  return (await Promise.all(lines)).flat();
}

const SAMPLE_EVERY_MS = 400;

/** `stop` resolves to the peaks in MiB, child processes included, by process name. */
export function trackPeakMemory(
  { services: all, pid: pidOf }: ChaosPlatform,
  services: readonly ServiceName[],
) {
  const names = all.filter(({ service }) => services.includes(service)).map(({ name }) => name);
  const peaks = new Map<string, number>();
  const stopping = new AbortController();
  const sampling = (async () => {
    while (!stopping.signal.aborted) {
      const alive = names.flatMap((name) => {
        const pid = pidOf(name);
        return pid === null ? [] : [{ name, pid }];
      });
      const sizes = await processTreesMiB(alive.map(({ pid }) => pid));
      for (const [index, { name }] of alive.entries()) {
        peaks.set(name, Math.max(peaks.get(name) ?? 0, sizes[index] ?? 0));
      }
      await sleep(SAMPLE_EVERY_MS, stopping.signal);
    }
  })();
  return {
    stop: async (): Promise<ReadonlyMap<string, number>> => {
      stopping.abort();
      await sampling;
      return peaks;
    },
  };
}

export function formatPeaks(peaks: ReadonlyMap<string, number>): string {
  return [...peaks].map(([name, peak]) => `${name} ${peak} MiB`).join(", ");
}
