// Queries a Prometheus for its targets and rules, and for the series that an expression selects.
import { parser } from "@prometheus-io/lezer-promql";

interface Target {
  readonly labels: Readonly<Record<string, string>>;
  readonly health: "up" | "down" | "unknown";
}

/** A metric in an expression, with the labels that the expression uses. */
interface Selected {
  readonly metric: string;
  /** The matchers of the expression, such as `{reason="clock"}`. */
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
  /** The labels by which the expression groups. */
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

/** Returns the metrics of an expression. Throws if it is not PromQL. */
function selectedBy(expression: string): Selected[] {
  const tree = parser.parse(expression);
  const textOf = ({ from, to }: { from: number; to: number }) => expression.slice(from, to);
  const selected: Selected[] = [];
  let grouping: string[] = [];
  tree.iterate({
    enter: (node) => {
      if (node.type.isError) throw new Error(`not PromQL: ${expression}`);
      if (node.name === "AggregateExpr") {
        const labels =
          node.node.getChild("AggregateModifier")?.getChild("GroupingLabels")?.getChildren("LabelName") ?? [];
        grouping = labels.map(textOf);
      }
      if (node.name !== "VectorSelector") return;
      const name = node.node.getChild("Identifier");
      if (name === null) throw new Error(`a selector without a metric: ${expression}`);
      const matchers = node.node.getChild("LabelMatchers")?.getChildren("UnquotedLabelMatcher") ?? [];
      selected.push({
        metric: textOf(name),
        matchers: matchers.map((matcher) => {
          const [label, operator, value] = ["LabelName", "MatchOp", "StringLiteral"].map((part) => {
            const child = matcher.getChild(part);
            return child === null ? "" : textOf(child);
          });
          return { label: label ?? "", operator: operator ?? "", value: (value ?? "").slice(1, -1) };
        }),
        grouping,
      });
    },
    leave: (node) => {
      if (node.name === "AggregateExpr") grouping = [];
    },
  });
  return selected;
}
