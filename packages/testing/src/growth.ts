// Measures how the cost of work grows with the size of its input. A single processor time means little on a busy machine;
// the ratio of two, measured in one run, tells linear from quadratic on any.

/** A linear cost multiplies by this from one compared size to the other; a quadratic one by its square. */
const SIZE_FACTOR = 8;
const RUNS = 3;
// Sizes double until one run takes this long: a quadratic ratio shows by then, and no test hangs on it.
const CPU_ENOUGH_MS = 100;
// Shorter times are noise: the smaller of two compared times counts as at least this.
const CPU_FLOOR_MS = 2;

/** Growths below this are linear, or near it (8); a quadratic cost comes to 64. */
export const LINEAR_GROWTH_MAX = 30;

// The collector's threads count too, and may do in one measurement what they put off in another. They rarely strike three
// times in a row; a cost that is not linear does.
const MEASUREMENTS_MAX = 3;

/**
 * Measures how much the processor time of this process grows from an eighth of the largest size that was reached, to that
 * size. `prepare` makes the input of a size and returns the work to measure, which may be asynchronous. Sizes go from `min`
 * to `max` by the factor `step`; each time is the least of three runs. A growth of `bound` or more is measured again, up to
 * three times in all, and the least is returned.
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

/** Text of about `size` characters: a start, a piece again and again, an end. */
export function repeated(size: number, { start = "", piece, end = "" }: Repeated): string {
  return start + piece.repeat(Math.ceil(size / piece.length)) + end;
}

export interface Repeated {
  readonly start?: string;
  readonly piece: string;
  readonly end?: string;
}
