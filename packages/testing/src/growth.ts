// Measures how the cost of work grows with the size of its input. A CPU time depends on the machine and its load; the ratio
// of two CPU times, measured in one run, distinguishes linear from quadratic cost on any machine.

/** The ratio of the compared sizes: linear cost grows by 8, quadratic cost by 64. */
const SIZE_FACTOR = 8;
const RUNS = 3;
// Sizes grow until one run takes this long: enough to detect quadratic cost, and short enough for a test.
const CPU_ENOUGH_MS = 100;
// Shorter times are noise: the smaller of the two compared times counts as at least 2 ms.
const CPU_FLOOR_MS = 2;

/** Growth below this is linear or nearly so (8); quadratic growth is 64. */
export const LINEAR_GROWTH_MAX = 30;

// The garbage collector's threads count as well, at different times in each measurement. They rarely disturb three
// measurements in a row; quadratic cost shows in all of them.
const MEASUREMENTS_MAX = 3;

/**
 * Measures by what factor the CPU time of this process grows from an eighth of the largest size reached to that size.
 * `prepare` creates the input of a size and returns the work to measure, which may be asynchronous. Sizes grow from `min`
 * to `max` by the factor `step`; each time is the least of three runs. Growth of `bound` or more is measured again, up to
 * three times in all, and the least growth is returned.
 */
export async function growthOf(
  sizes: { min: number; max: number; step?: 2 | 8; floorMs?: number; bound?: number },
  prepare: (size: number) => () => unknown,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let measurement = 0; measurement < MEASUREMENTS_MAX; measurement += 1) {
    least = Math.min(least, await measureGrowth(sizes, prepare));
    if (least < (sizes.bound ?? LINEAR_GROWTH_MAX)) break;
  }
  return least;
}

async function measureGrowth(
  {
    min,
    max,
    step = 2,
    floorMs = CPU_FLOOR_MS,
  }: { min: number; max: number; step?: 2 | 8; floorMs?: number },
  prepare: (size: number) => () => unknown,
): Promise<number> {
  const times: number[] = [];
  for (let size = min; size <= max; size *= step) {
    const cpuMs = await leastCpuMs(prepare(size));
    times.push(cpuMs);
    if (cpuMs > CPU_ENOUGH_MS) break;
  }
  const last = times.at(-1) ?? 0;
  const before = times.at(-1 - Math.log2(SIZE_FACTOR) / Math.log2(step)) ?? times[0] ?? 0;
  return last / Math.max(before, floorMs);
}

async function leastCpuMs(measured: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS; run += 1) {
    const before = process.cpuUsage();
    await measured();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** Text of about `size` characters: `start`, `piece` repeated, `end`. */
export function repeated(size: number, { start = "", piece, end = "" }: Repeated): string {
  return start + piece.repeat(Math.ceil(size / piece.length)) + end;
}

export interface Repeated {
  readonly start?: string;
  readonly piece: string;
  readonly end?: string;
}
