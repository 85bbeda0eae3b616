// Samples the memory of service processes and keeps each process's peak.
import type { ServiceName } from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import type { ChaosPlatform } from "./platform.ts";
import { processTreesMiB } from "./process-memory.ts";

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
