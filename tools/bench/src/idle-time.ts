// What the platform costs when it has nothing to do.
import { sleep } from "@tradepost/runtime";
import type { BenchContext } from "./benches/bench.ts";
import { perUnit } from "./processor-time.ts";

/** Milliseconds of processor time a second, by program. */
export async function idleTime({ observe }: BenchContext, seconds: number): Promise<Record<string, number>> {
  const { cpuMs } = await observe(() => sleep(seconds * 1_000), "idle");
  return perUnit(cpuMs, seconds);
}
