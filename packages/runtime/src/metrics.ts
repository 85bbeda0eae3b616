import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { collectProcessMetrics } from "./collect-process-metrics.ts";

/** A service's Prometheus registry. Each part of a service registers its own metrics when it starts. */
export interface Metrics {
  counter<Label extends string>(name: string, help: string, labels?: Label[]): Counter<Label>;
  /** `collect` sets the gauge at each scrape. */
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
      const gauge: Gauge<(typeof labels)[number]> = new Gauge({
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
