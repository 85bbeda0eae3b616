// CPU times depend on the machine and its load. The ratio of two CPU times, measured in one run, distinguishes linear from
// quadratic cost on any machine.

/** Linear cost grows by 8, quadratic cost by 64. */
const SIZE_FACTOR = 8;
const RUNS = 3;
// Sizes grow until one run takes this long, enough to detect quadratic cost.
const CPU_ENOUGH_MS = 100;
const CPU_FLOOR_MS = 2;

export const LINEAR_GROWTH_MAX = 40;

// The garbage collector's threads count too. They rarely disturb four measurements in a row.
const MEASUREMENTS_MAX = 4;

interface Sizes {
  readonly min: number;
  readonly max: number;
  readonly floorMs?: number;
  readonly bound?: number;
}

/**
 * Returns the factor by which the CPU time of this process grows from an eighth of a size to that size. The size is the first,
 * doubling from 8 times `min` up to `max`, that takes long enough. `prepare` creates the input of a size and returns the work to
 * measure, which may be asynchronous.
 *
 * Each time is the least of three runs, or of one run if that already shows growth below `bound`. Growth of `bound` or more is
 * measured again, up to four times in all, and the least is returned.
 */
export async function growthOf(sizes: Sizes, prepare: (size: number) => () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let measurement = 0; measurement < MEASUREMENTS_MAX; measurement += 1) {
    least = Math.min(least, await measureGrowth(sizes, prepare));
    if (least < (sizes.bound ?? LINEAR_GROWTH_MAX)) break;
  }
  return least;
}

async function measureGrowth(
  { min, max, floorMs = CPU_FLOOR_MS, bound = LINEAR_GROWTH_MAX }: Sizes,
  prepare: (size: number) => () => unknown,
): Promise<number> {
  let size = Math.min(min * SIZE_FACTOR, max);
  let work = prepare(size);
  let cpuMs = await leastCpuMs(work, 1);
  while (size < max && cpuMs <= CPU_ENOUGH_MS) {
    size = Math.min(size * 2, max);
    work = prepare(size);
    cpuMs = await leastCpuMs(work, 1);
  }
  // The shortest of three runs would be at most as long, so growth is at most this.
  if (cpuMs / floorMs < bound) return cpuMs / floorMs;
  const before = Math.max(await leastCpuMs(prepare(size / SIZE_FACTOR), RUNS), floorMs);
  if (cpuMs / before < bound) return cpuMs / before;
  return Math.min(cpuMs, await leastCpuMs(work, RUNS - 1)) / before;
}

async function leastCpuMs(measured: () => unknown, runs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const before = process.cpuUsage();
    await measured();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** Returns a text of about `size` characters: `start`, `piece` repeated, `end`. */
export function repeated(size: number, { start = "", piece, end = "" }: Repeated): string {
  return start + piece.repeat(Math.ceil(size / piece.length)) + end;
}

export interface Repeated {
  readonly start?: string;
  readonly piece: string;
  readonly end?: string;
}
