// Prometheus's promtool evaluates the alert rules of deploy/observability: each alert fires, stays quiet, and reports a missing
// metric.
import { execFile } from "node:child_process";
import { existsSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "@tradepost/devstack";
import { parse } from "yaml";
import { ALERT_CASES, type AlertCase, EVERY_SERVICE_UP } from "../support/alert-cases.ts";
import {
  ALERTS,
  isUsedBy,
  OBSERVABILITY,
  PROMTOOL,
  RULE_FILES,
  RULES,
  WATCHDOG,
} from "../support/alert-rules.ts";

interface Alertmanager {
  readonly route: {
    readonly receiver: string;
    readonly routes: readonly { readonly matchers: readonly string[]; readonly receiver: string }[];
  };
  readonly inhibit_rules: readonly {
    readonly source_matchers: readonly string[];
    readonly target_matchers: readonly string[];
  }[];
  readonly receivers: readonly { readonly name: string }[];
}

const run = promisify(execFile);

const directory = mkdtempDisposableSync(path.join(tmpdir(), "tradepost-rules-"));
afterAll(() => directory.remove());

const describeWithPromtool = PROMTOOL === "" ? describe.skip : describe;

describe("each alert", () => {
  test("has a severity, sentences and a runbook", () => {
    for (const { alert, labels, annotations } of ALERTS) {
      expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(page|ticket)$/)]);
      for (const text of [annotations.summary, annotations.description])
        expect([alert, text]).toEqual([alert, expect.stringMatching(/\.$/)]);
      expect([alert, existsSync(path.join(ROOT, annotations.runbook_url ?? "none"))]).toEqual([alert, true]);
    }
  });

  test("is in the list of runbooks, with the severity of the rule that fires first", () => {
    const list = readFileSync(path.join(ROOT, "docs/runbooks/README.md"), "utf8");
    const rows = [...list.matchAll(/^\| `(\w+)` \| (\w+) \| \[[^\]]+\]\(([^)]+)\) \|$/gm)];
    const listed = rows.map(([, alert, severity, runbook]) => [alert, severity, `docs/runbooks/${runbook}`]);
    const first = new Map(ALERTS.toReversed().map((rule) => [rule.alert, rule]));
    const expected = [...first.values()].map(({ alert, labels, annotations }) => [
      alert,
      labels.severity,
      annotations.runbook_url,
    ]);
    expect(listed.toSorted()).toEqual(expected.toSorted());
  });

  test("is tested", () => {
    const names = new Set(ALERTS.map(({ alert }) => alert));
    expect(new Set(ALERT_CASES.map(({ alert }) => alert))).toEqual(names);
    for (const alert of names) {
      const kinds = new Set(
        ALERT_CASES.filter((one) => one.alert === alert).map(({ fires = [] }) =>
          fires.length === 0 ? "quiet" : fires.some(({ missing }) => missing) ? "missing" : "fires",
        ),
      );
      // This alert measures failing scrapes, so its metric cannot be missing.
      const needed = alert === "TradepostServiceMissing" ? ["fires", "quiet"] : ["fires", "missing", "quiet"];
      expect([alert, [...kinds].toSorted()]).toEqual([alert, needed]);
    }
  });
});

describe("alertmanager.yml", () => {
  const { route, inhibit_rules, receivers } = parse(
    readFileSync(path.join(OBSERVABILITY, "alertmanager.yml"), "utf8"),
  ) as Alertmanager;
  const namesIn = (matchers: readonly string[] = []) =>
    matchers.flatMap((matcher) => /^alertname=~?"(.*)"$/.exec(matcher)?.[1]?.split("|") ?? []);

  test("names alerts and receivers that exist", () => {
    const matchers = inhibit_rules.flatMap((rule) => [rule.source_matchers, rule.target_matchers]);
    const named = [...matchers, ...route.routes.map((one) => one.matchers)].flatMap(namesIn);
    const known = [WATCHDOG, ...ALERTS.map(({ alert }) => alert)];
    expect(named.filter((alert) => !known.includes(alert))).toEqual([]);
    const used = [route.receiver, ...route.routes.map(({ receiver }) => receiver)];
    expect(receivers.map(({ name }) => name).toSorted()).toEqual([...new Set(used)].toSorted());
  });

  test("silences what a lost broker or database causes, and only by an alert that pages", () => {
    const [causes] = inhibit_rules;
    expect(namesIn(causes?.target_matchers)).toEqual([
      "TradepostCanaryLate",
      "TradepostOutboxOld",
      "TradepostFirstAttemptsSlow",
    ]);
    for (const alert of namesIn(causes?.source_matchers))
      expect(ALERTS.find((rule) => rule.alert === alert)?.labels.severity).toBe("page");
  });

  test("sends the alert that always fires to the heartbeat", () => {
    expect(RULES).toContainEqual(expect.objectContaining({ alert: WATCHDOG, expr: "vector(1)" }));
    const watched = route.routes.find(({ matchers }) => namesIn(matchers).includes(WATCHDOG));
    expect(watched?.receiver).toBe("heartbeat");
  });
});

describeWithPromtool("the rules (with promtool)", () => {
  const promtool = (...words: string[]) =>
    run(PROMTOOL, words, { cwd: OBSERVABILITY }).then(
      ({ stdout, stderr }) => ({ ok: true, output: stdout + stderr }),
      ({ stdout, stderr }) => ({ ok: false, output: stdout + stderr }),
    );

  /** Writes the cases of one alert, with only its own rules. Evaluating all rules for each case would take minutes. */
  const writeCases = (alert: string) => {
    const rules = RULES.filter((rule) =>
      "alert" in rule ? rule.alert === alert : isUsedBy(alert, rule.record),
    );
    const fileOf = (kind: string) => path.join(directory.path, `${alert}.${kind}.yml`);
    const [rulesFile, casesFile] = [fileOf("rules"), fileOf("cases")];
    // JSON is valid YAML.
    writeFileSync(rulesFile, JSON.stringify({ groups: [{ name: alert, rules }] }));
    const tests = ALERT_CASES.filter((one) => one.alert === alert).map(toPromtool);
    const cases = { rule_files: [rulesFile], evaluation_interval: "1m", tests };
    writeFileSync(casesFile, JSON.stringify(cases));
    return casesFile;
  };

  test("are accepted by Prometheus, and so is its configuration", async () => {
    expect(await promtool("check", "rules", "--lint-fatal", ...RULE_FILES)).toMatchObject({ ok: true });
    expect(await promtool("check", "config", "prometheus.yml")).toMatchObject({ ok: true });
  });

  test("fire, stay quiet and notice missing metrics", async () => {
    const files = [...new Set(ALERTS.map(({ alert }) => alert))].map((alert) => writeCases(alert));
    const { ok, output } = await promtool("test", "rules", ...files);
    expect([output.slice(0, 5_000), ok]).toEqual([expect.stringContaining("SUCCESS"), true]);
  });
});

/** Converts a case for promtool, which compares the firing alerts of this name and the labels that the case gives. */
function toPromtool({ alert, what, series, at, fires = [] }: AlertCase) {
  const labels = [...new Set(["severity", "missing", ...fires.flatMap(Object.keys)])];
  return {
    name: `${alert} ${what}`,
    interval: "1m",
    input_series: Object.entries({ ...EVERY_SERVICE_UP, ...series })
      .filter(([, values]) => values !== "")
      .map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: `max by (${labels.join(", ")}) (ALERTS{alertname="${alert}", alertstate="firing"})`,
        eval_time: at,
        exp_samples: fires.map((one) => ({
          labels: `{${Object.entries(one)
            .map(([name, value]) => `${name}="${value}"`)
            .join(", ")}}`,
          value: 1,
        })),
      },
    ],
  };
}
