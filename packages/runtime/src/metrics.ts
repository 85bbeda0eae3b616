import { Counter, Gauge, type GaugeConfiguration, Histogram, Registry } from "prom-client";
import { collectProcessMetrics } from "./collect-process-metrics.ts";
import { withDeadline } from "./with-deadline.ts";

const COLLECT_TIMEOUT_MS = 2_000;

/** One value of a gauge. `labels` has a value for each label of the gauge. */
export interface Sample<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  readonly value: number;
}

/** Reads one source's values of a gauge. */
export type ReadSamples<Label extends string> = () =>
  | readonly Sample<Label>[]
  | Promise<readonly Sample<Label>[]>;

/** A service's Prometheus registry. Each part of a service registers its own metrics when it starts. */
export interface Metrics {
  counter<Label extends string>(name: string, help: string, labels?: Label[]): Counter<Label>;
  /** `collect` sets the gauge at each scrape. If it fails or takes over 2 s, the scrape lacks the gauge (interface §14). */
  gauge<Label extends string>(
    name: string,
    help: string,
    labels?: Label[],
    collect?: (gauge: Gauge<Label>) => Promise<void> | void,
  ): Gauge<Label>;
  /**
   * Adds a source to a gauge that several parts of the process share, such as its database pools. At each scrape the values of all
   * sources with the same labels are added up. While one source fails, the gauge is missing from the scrape.
   */
  sumGauge<Label extends string>(name: string, help: string, labels: Label[], read: ReadSamples<Label>): void;
  /** Buckets are in seconds. */
  histogram<Label extends string>(
    name: string,
    help: string,
    labels: Label[],
    bucketsSeconds: number[],
  ): Histogram<Label>;
  /** Prometheus text, for `GET /metrics`. */
  text(): Promise<string>;
}

/** Returns a registry with the process's default metrics. Every series has the label `service` (interface §9). */
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

/** A gauge without a value while `collect` fails: an old value would look current, and zero would look like good news. */
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
