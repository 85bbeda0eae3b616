// Tells of what `npm run soak` measured whether it grows without bound. Pure.
//
// Of each measure the median of the last quarter is held against that of the second: a process warms up in the first. A
// garbage collector lets memory rise for minutes and then fall, so that of a run of less than ten the verdict on memory is
// partly chance; and a leak shows only where it adds a fifth within the half of a run that lies between the two.

/** What was measured at once, by name; what could not be measured is not in it. */
export interface Sample {
  readonly minutes: number;
  readonly values: Readonly<Record<string, number>>;
}

export interface Series {
  readonly name: string;
  readonly firstQuarter: number;
  readonly secondQuarter: number;
  readonly lastQuarter: number;
  /** Of the line through everything after the first quarter, in which a process warms up. */
  readonly perMinute: number;
  readonly grows: boolean;
}

const SHARE_MAX = 1.2;

/** What a measure may gain on top of a fifth, by the word its name begins with: what chance and a garbage collector do. */
const SLACK: Readonly<Record<string, number>> = {
  MiB: 16,
  handles: 8,
  connections: 4,
  rows: 100,
  messages: 50,
};

/** One for each name, in the order of their first appearance. Out: what has too few samples to fill quarters is left out. */
export function judge(samples: readonly Sample[]): Series[] {
  const names = [...new Set(samples.flatMap(({ values }) => Object.keys(values)))];
  const end = Math.max(0, ...samples.map(({ minutes }) => minutes));
  return names.flatMap((name) => {
    const points = samples.flatMap(({ minutes, values }) =>
      values[name] === undefined ? [] : [{ minutes, value: values[name] }],
    );
    const quarter = (number: number) =>
      points.filter(({ minutes }) => Math.min(3, Math.floor((minutes / end) * 4)) === number);
    const medians = [0, 1, 3].map((number) => median(quarter(number).map(({ value }) => value)));
    const [firstQuarter, secondQuarter, lastQuarter] = medians;
    if (firstQuarter === undefined || secondQuarter === undefined || lastQuarter === undefined) return [];
    const warm = points.filter(({ minutes }) => minutes >= end / 4);
    return {
      ...{ name, firstQuarter, secondQuarter, lastQuarter },
      perMinute: slope(warm),
      grows: lastQuarter > secondQuarter * SHARE_MAX + slackOf(name),
    };
  });
}

function slackOf(name: string): number {
  return SLACK[name.split(" ")[0] ?? ""] ?? 0;
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** By least squares; 0 of a single point. */
function slope(points: readonly { minutes: number; value: number }[]): number {
  const mean = (of: (point: { minutes: number; value: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [minutes, value] = [mean((point) => point.minutes), mean((point) => point.value)];
  const spread = mean((point) => (point.minutes - minutes) ** 2);
  return spread === 0 ? 0 : mean((point) => (point.minutes - minutes) * (point.value - value)) / spread;
}
