import { Counter, Gauge, type GaugeConfiguration, Histogram, Registry } from "prom-client";
import { collectProcessMetrics } from "./collect-process-metrics.ts";
import { withDeadline } from "./with-deadline.ts";

const COLLECT_TIMEOUT_MS = 2_000;

/** A service's Prometheus registry. Each part of a service registers its own metrics when it starts. */
export interface Metrics {
  counter<Label extends string>(name: string, help: string, labels?: Label[]): Counter<Label>;
  /**
   * `collect` sets the gauge at each scrape. While it fails, or if it takes longer than 2 s, the scrape does not have the gauge
   * (interface §14).
   */
  gauge<Label extends string>(
    name: string,
    help: string,
    labels?: Label[],
    collect?: (gauge: Gauge<Label>) => Promise<void> | void,
  ): Gauge<Label>;
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
  return {
    counter: (name, help, labels = []) => new Counter({ name, help, labelNames: labels, registers }),
    gauge: (name, help, labels = [], collect) => {
      const gauge: Gauge<(typeof labels)[number]> = new CollectedGauge({
        name,
        help,
        labelNames: labels,
        registers,
        ...(collect && { collect: () => collect(gauge) }),
      });
      return gauge;
    },
    histogram: (name, help, labelNames, buckets) =>
      new Histogram({ name, help, labelNames, buckets, registers }),
    text: () => registry.metrics(),
  };
}

/** An old value would look like a current one, and zero like good news. */
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
