// Queries a Prometheus for its targets and rules, and for the series that an expression selects.

const WORDS = ["and", "or", "unless", "bool", "offset"];

interface Target {
  readonly labels: Readonly<Record<string, string>>;
  readonly health: "up" | "down" | "unknown";
}

/** A metric in an expression, with the labels that the expression uses. */
interface Selected {
  readonly metric: string;
  /** The matchers of the expression, such as `{reason="clock"}`. */
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
  /** The labels by which the expression groups anything. */
  readonly grouping: readonly string[];
}

export function readPrometheus(url: string) {
  const get = async <Data>(path: string): Promise<Data> => {
    const response = await fetch(`${url}/api/v1/${path}`);
    // The type is the one that Prometheus documents.
    return ((await response.json()) as { data: Data }).data;
  };
  const seriesOf = (metric: string) =>
    get<Record<string, string>[]>(`series?${new URLSearchParams({ "match[]": metric })}`);

  /** Returns the faults of one selector: a metric, a label or a label's value that no series has. */
  async function faultsOf({ metric, matchers, grouping }: Selected): Promise<string[]> {
    const series = await seriesOf(metric);
    // Some metrics have a series only after an event that takes minutes.
    if (series.length === 0)
      return metric in (await get<object>(`metadata?metric=${metric}`)) ? [] : [metric];
    const faults = grouping.filter((label) => series.every((one) => one[label] === undefined));
    for (const { label, operator, value } of matchers) {
      if (series.every((one) => one[label] === undefined)) faults.push(label);
      // For a pattern such as `5..`, only the label can be checked: perhaps no response has such a status.
      const values = operator === "=" ? [value] : value.split("|").filter((each) => /^[\w-]+$/.test(each));
      faults.push(...values.filter((each) => series.every((one) => one[label] !== each)));
    }
    return faults.map((fault) => `${metric}: ${fault}`);
  }

  return {
    targets: async (): Promise<Target[]> =>
      (await get<{ activeTargets: Target[] }>("targets?state=active")).activeTargets,
    /** Returns the names of the loaded alerts. */
    alerts: async (): Promise<string[]> => {
      const { groups } = await get<{ groups: { rules: { name: string }[] }[] }>("rules?type=alert");
      return [...new Set(groups.flatMap(({ rules }) => rules.map(({ name }) => name)))].toSorted();
    },
    /**
     * Returns the metrics, labels and label values of the expressions that this Prometheus lacks. `recorded` are the names of
     * recording rules.
     */
    unknown: async (expressions: readonly string[], recorded: readonly string[]): Promise<string[]> => {
      const selected = expressions.flatMap(selectedBy).filter(({ metric }) => !recorded.includes(metric));
      const faults = await Promise.all(selected.map(faultsOf));
      return [...new Set(faults.flat())];
    },
  };
}

/**
 * Returns the metrics of an expression. It reads the forms that the rules and dashboards use: promtool checks that they are PromQL. The
 * labels of `on (…)` and the like are left out.
 */
function selectedBy(expression: string): Selected[] {
  const matched = /\b(?:on|ignoring|group_left|group_right)\s*\([^)]*\)/g;
  // A text, a range, `by (…) (`, a parenthesis, or a name with its matchers that is no function and no aggregation.
  const token =
    /"[^"]*"|\[[^\]]*\]|\b(?:by|without)\s*\(([^)]*)\)\s*\(|[()]|([a-z_:][\w:]*)(?![\w:]|\s*\(|\s+(?:by|without)\b)(\{[^}]*\})?/gi;
  const selected: Selected[] = [];
  // The grouping inside each parenthesis that is open.
  const open: string[][] = [[]];
  for (const [text, labels, metric, matchers = ""] of expression.replaceAll(matched, " ").matchAll(token)) {
    if (labels !== undefined) open.push(labels.match(/\w+/g) ?? []);
    else if (text === "(") open.push(open.at(-1) ?? []);
    else if (text === ")") open.pop();
    else if (metric !== undefined && !WORDS.includes(metric)) {
      const parts = [...matchers.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)];
      const read = parts.map(([, label = "", operator = "", value = ""]) => ({ label, operator, value }));
      selected.push({ metric, matchers: read, grouping: open.at(-1) ?? [] });
    }
  }
  return selected;
}
