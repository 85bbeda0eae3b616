// The resident memory of a process, and of everything that it has started.
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** In MiB; undefined when the process has just ended. */
export async function residentMiB(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const [, kibibytes = await askPs(pid)] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kibibytes === undefined ? undefined : Math.round(Number(kibibytes) / 1_024);
}

/** Each process together with its descendants, in MiB. Where there is no /proc, the processes only. */
export async function treesMiB(pids: readonly number[]): Promise<number[]> {
  const parents = await parentOfEach();
  return await Promise.all(
    pids.map(async (pid) => {
      const each = await Promise.all([...treeOf(pid, parents)].map(residentMiB));
      return each.reduce<number>((sum, one) => sum + (one ?? 0), 0);
    }),
  );
}

function treeOf(pid: number, parents: readonly [child: number, parent: number][]): Set<number> {
  const tree = new Set([pid]);
  // A child may be listed before its parent, so look until nothing is added.
  for (let size = 0; size !== tree.size; ) {
    size = tree.size;
    for (const [child, parent] of parents) if (tree.has(parent)) tree.add(child);
  }
  return tree;
}

/** Where there is no /proc. */
async function askPs(pid: number): Promise<string | undefined> {
  const asked = promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
  return await asked.then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
}

async function parentOfEach(): Promise<[child: number, parent: number][]> {
  const names = await readdir("/proc").catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name));
  const lines = pids.map(async (pid): Promise<[number, number][]> => {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    // The name is in brackets and may hold spaces; the state and the parent follow it.
    const parent = stat.split(") ").at(-1)?.split(" ")[1];
    return parent === undefined ? [] : [[Number(pid), Number(parent)]];
  });
  return (await Promise.all(lines)).flat();
}
