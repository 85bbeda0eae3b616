/**
 * Reads the metrics of a service, as Prometheus does. Returns a function that looks up a series: `name` or `name{label="value"}`,
 * without the label `service`, which is the same for all. It returns undefined if the scrape lacks the series.
 */
export async function readMetrics(url: string): Promise<(series: string) => number | undefined> {
  const response = await fetch(`${url}/metrics`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`no metrics: ${response.status} ${text}`);
  const values = new Map(
    text.split("\n").flatMap((line): [string, number][] => {
      const [, name, labels = "", value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (name === undefined) return [];
      const others = labels.replace(/,?service="[^"]*"/, "").replace(/^,/, "");
      return [[others === "" ? name : `${name}{${others}}`, Number(value)]];
    }),
  );
  return (series) => values.get(series);
}
