// Decides for each measure of `npm run tool -- soak` whether it grows without bound. Pure.
//
// A measure grows if its median in the last quarter exceeds its median in the second quarter by more than a fifth plus a slack. The
// first quarter is the warm-up. There are two limitations. A garbage collector lets memory rise for minutes before it falls, so in
// a run of less than 10 minutes the result for memory is partly chance. And a leak shows only if it adds a fifth in half a run.

export interface Sample {
  readonly minutes: number;
  readonly values: Readonly<Record<string, number>>;
}

const GROWTH_FACTOR_MAX = 1.2;

/** The variation due to chance and garbage collection, by the first word of a measure's name. */
const SLACK: Readonly<Record<string, number>> = {
  MiB: 16,
  handles: 8,
  connections: 4,
  rows: 100,
  messages: 50,
};

/** In the order of first appearance, without measures that have no samples in one of the two quarters. */
export function analyzeGrowth(samples: readonly Sample[]) {
  const names = [...new Set(samples.flatMap(({ values }) => Object.keys(values)))];
  const end = Math.max(0, ...samples.map(({ minutes }) => minutes));
  return names.flatMap((name) => {
    const points = samples.flatMap(({ minutes, values }) =>
      values[name] === undefined ? [] : [{ minutes, value: values[name] }],
    );
    const quarter = (number: number) =>
      points.filter(({ minutes }) => Math.min(3, Math.floor((minutes / end) * 4)) === number);
    const medians = [1, 3].map((number) => median(quarter(number).map(({ value }) => value)));
    const [secondQuarter, lastQuarter] = medians;
    if (secondQuarter === undefined || lastQuarter === undefined) return [];
    const slack = SLACK[name.split(" ")[0] ?? ""] ?? 0;
    const grows = lastQuarter > secondQuarter * GROWTH_FACTOR_MAX + slack;
    return { name, secondQuarter, lastQuarter, grows };
  });
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
