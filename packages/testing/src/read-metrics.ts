/**
 * Reads the metrics of a service, as Prometheus does. Returns the value of a series, `name` or `name{label="value"}` without the
 * label `service`, which is the same for all; undefined if the scrape does not have it.
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
