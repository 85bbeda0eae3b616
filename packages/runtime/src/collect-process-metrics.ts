// The metrics of the Node process. prom-client measures the delays of the event loop with a timer that wakes the process every 10
// ms, which would take most of the processor time of an idle service. Here each turn of the loop is a sample, without a timer.
import { monitorEventLoopDelay, type RecordableHistogram } from "node:perf_hooks";
import { collectDefaultMetrics, Gauge, type Registry } from "prom-client";

// prom-client has no setting that leaves out its own histogram, so its timer gets the longest time that a timer can have.
const NEVER_MS = 2 ** 31 - 1;
// `samplePerIteration` is not among the declared types yet. A version of Node without it takes samples with a timer.
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
 * Registers prom-client's default metrics. `nodejs_eventloop_lag_*_seconds` are the durations of the event loop's turns since the
 * last scrape, without the time spent waiting for work.
 */
export function collectProcessMetrics(register: Registry): void {
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
