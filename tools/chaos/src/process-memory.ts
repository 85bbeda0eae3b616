// The resident memory of a process, and of a process with its descendants.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** The memory of a process in MiB; undefined if it has exited. */
export async function residentMiB(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const [, kibibytes = await readFromPs(pid)] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kibibytes === undefined ? undefined : Math.round(Number(kibibytes) / 1_024);
}

/** The memory of each process with its descendants, in MiB. Without /proc, only the processes themselves are counted. */
export async function processTreesMiB(pids: readonly number[]): Promise<number[]> {
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

/** Used on systems without /proc. */
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
