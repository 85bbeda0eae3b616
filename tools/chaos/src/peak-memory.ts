// The most memory that each process of a service took within a time.
import type { ServiceName } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import type { ChaosPlatform } from "./platform.ts";
import { treesMiB } from "./process-memory.ts";

const SAMPLE_EVERY_MS = 400;

/** `stop` resolves to the peaks in MiB, children included, by the processes' names. */
export function startPeakMemory(
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
      const sizes = await treesMiB(alive.map(({ pid }) => pid));
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

export function inWords(peaks: ReadonlyMap<string, number>): string {
  return [...peaks].map(([name, peak]) => `${name} ${peak} MiB`).join(", ");
}
