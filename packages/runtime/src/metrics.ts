import { monitorEventLoopDelay, type RecordableHistogram } from "node:perf_hooks";
import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  Registry,
} from "prom-client";
import { withDeadline } from "./waits.ts";

const COLLECT_TIMEOUT_MS = 2_000;

interface Sample<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  readonly value: number;
}

type ReadSamples<Label extends string> = () => readonly Sample<Label>[] | Promise<readonly Sample<Label>[]>;

export interface Metrics {
  counter<Label extends string>(name: string, help: string, labels?: Label[]): Counter<Label>;
  /** `collect` sets the gauge at each scrape. If that fails or takes over 2 s, the scrape lacks the gauge (interface §14). */
  gauge<Label extends string>(
    name: string,
    help: string,
    labels?: Label[],
    collect?: (gauge: Gauge<Label>) => Promise<void> | void,
  ): Gauge<Label>;
  /**
   * Adds a source to a gauge that parts of the process share, such as its pools: at each scrape the values with the same labels
   * are added up. While one source fails, the scrape lacks the gauge.
   */
  sumGauge<Label extends string>(name: string, help: string, labels: Label[], read: ReadSamples<Label>): void;
  /** Buckets are in seconds. */
  histogram<Label extends string>(
    name: string,
    help: string,
    labels: Label[],
    bucketsSeconds: number[],
  ): Histogram<Label>;
  text(): Promise<string>;
}

/** Every series has the label `service` (interface §9). */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectProcessMetrics(registry);
  const registers = [registry];
  const sources = new Map<string, ReadSamples<string>[]>();
  const createGauge: Metrics["gauge"] = (name, help, labels = [], collect) => {
    const gauge: Gauge<(typeof labels)[number]> = new CollectedGauge({
      name,
      help,
      labelNames: labels,
      registers,
      ...(collect && { collect: () => collect(gauge) }),
    });
    return gauge;
  };
  return {
    counter: (name, help, labels = []) => new Counter({ name, help, labelNames: labels, registers }),
    gauge: createGauge,
    sumGauge: (name, help, labels, read) => {
      const existing = sources.get(name);
      if (existing !== undefined) return void existing.push(read);
      const reads: ReadSamples<string>[] = [read];
      sources.set(name, reads);
      createGauge(name, help, labels as string[], async (gauge) => {
        const samples = await Promise.all(reads.map((source) => source()));
        gauge.reset();
        for (const sample of samples.flat()) gauge.inc(sample.labels, sample.value);
      });
    },
    histogram: (name, help, labelNames, buckets) =>
      new Histogram({ name, help, labelNames, buckets, registers }),
    text: () => registry.metrics(),
  };
}

/** Without a value if `collect` fails: an old one would look current, and zero like good news. */
class CollectedGauge<Label extends string> extends Gauge<Label> {
  private readonly withoutCollect: Gauge<Label>;

  constructor({ collect, ...configuration }: GaugeConfiguration<Label>) {
    super({ ...configuration, ...(collect && { collect }) });
    this.withoutCollect = new Gauge({ ...configuration, registers: [] });
  }

  override async get() {
    try {
      return await withDeadline(super.get(), COLLECT_TIMEOUT_MS, "timed out");
    } catch {
      return { ...(await this.withoutCollect.get()), values: [] };
    }
  }
}

// prom-client's own histogram cannot be left out, so its timer gets the longest time.
const NEVER_MS = 2 ** 31 - 1;
// The types do not declare `samplePerIteration` yet. A version of Node without it takes samples with a timer.
const SAMPLING = { samplePerIteration: true, resolution: 1_000 };
const NANOSECONDS_PER_SECOND = 1e9;

type Delays = Pick<RecordableHistogram, "min" | "max" | "mean" | "stddev" | "percentile">;

const STATISTICS: readonly (readonly [name: string, read: (delays: Delays) => number])[] = [
  ["min", ({ min }) => min],
  ["max", ({ max }) => max],
  ["mean", ({ mean }) => mean],
  ["stddev", ({ stddev }) => stddev],
  ["p50", (delays) => delays.percentile(50)],
  ["p90", (delays) => delays.percentile(90)],
  ["p99", (delays) => delays.percentile(99)],
];

/**
 * `nodejs_eventloop_lag_*_seconds` are the durations of the event loop's turns since the last scrape, without the waiting.
 * prom-client would measure them with a timer that wakes the process every 10 ms.
 */
function collectProcessMetrics(register: Registry): void {
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: NEVER_MS });
  const delays = monitorEventLoopDelay(SAMPLING);
  delays.enable();
  const readAll = () => {
    for (const { gauge, read } of gauges) gauge.set(read(delays) / NANOSECONDS_PER_SECOND);
    delays.reset();
  };
  const gauges = STATISTICS.map(([statistic, read], index) => {
    const name = `nodejs_eventloop_lag_${statistic}_seconds`;
    register.removeSingleMetric(name);
    return {
      read,
      gauge: new Gauge({
        name,
        help: `Duration of the event loop's turns: ${statistic}.`,
        registers: [register],
        // The first gauge sets all of them, because a scrape starts a new period.
        ...(index === 0 && { collect: readAll }),
      }),
    };
  });
}
