// Formats a result for the terminal. Pure.
import { sum } from "./processor-time.ts";
import type { Result } from "./result.ts";

export function formatResult(result: Result): string {
  const {
    name,
    unit,
    target,
    measured,
    baseline,
    ratio,
    cpu = {},
    baselineCpu,
    figures: named = {},
    latencies = {},
    notes = [],
  } = result;
  const figures = [
    measured === undefined ? "" : `${rounded(measured)} ${unit}`,
    baseline === undefined ? "" : `baseline ${rounded(baseline)}`,
    ratio === undefined
      ? ""
      : `ratio ${ratio.median.toFixed(2)} (${ratio.lowest.toFixed(2)} to ${ratio.highest.toFixed(2)})`,
    `target ${target}`,
  ];
  const used = Object.entries(cpu).filter(([, ms]) => ms > 0);
  const details = [
    used.length === 0
      ? ""
      : `CPU-ms per unit: ${sum(cpu).toFixed(2)}: ${used.map(([process, ms]) => `${process} ${ms.toFixed(3)}`).join(", ")}`,
    baselineCpu === undefined ? "" : `CPU-ms per unit of the baseline: ${baselineCpu.toFixed(3)}`,
    ...Object.entries(latencies).map(
      ([rate, { p50, p99, p999 }]) => `${rate}: p50 ${p50} ms, p99 ${p99} ms, p99.9 ${p999} ms`,
    ),
    ...Object.entries(named).map(([what, figure]) => `${what}: ${rounded(figure)}`),
    ...notes,
  ];
  const indented = details.filter(Boolean).map((detail) => `\n    ${detail}`);
  return `${name}: ${figures.filter(Boolean).join(" · ")}${indented.join("")}`;
}

function rounded(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(1);
}
