// The cost of the platform when it has nothing to do.
import { sleep } from "@tradepost/runtime";
import type { BenchContext } from "./benches/bench.ts";
import { perUnit } from "./processor-time.ts";

/** Returns the milliseconds of processor time per second, by program. */
export async function idleTime({ observe }: BenchContext, seconds: number): Promise<Record<string, number>> {
  const { cpuMs } = await observe(() => sleep(seconds * 1_000), "idle");
  return perUnit(cpuMs, seconds);
}
