// Reads the alert rules and dashboards of deploy/observability.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "@tradepost/devstack";
import { parse } from "yaml";

/** Tests that need promtool are skipped without it, and `npm test` says so. */
export const PROMTOOL = process.env.TEST_PROMTOOL ?? "";

export const OBSERVABILITY = path.join(ROOT, "deploy/observability");

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

interface RecordingRule {
  readonly record: string;
  readonly expr: string;
}

type Rule = AlertRule | RecordingRule;

export const RULE_FILES = readdirSync(path.join(OBSERVABILITY, "rules")).map((name) =>
  path.join(OBSERVABILITY, "rules", name),
);

export const RULES = RULE_FILES.flatMap((file) => {
  const { groups } = parse(readFileSync(file, "utf8")) as { groups: { rules: Rule[] }[] };
  return groups.flatMap(({ rules }) => rules);
});

/** This alert always fires, so it has no runbook. */
export const WATCHDOG = "TradepostWatchdog";

export const ALERTS = RULES.filter((rule): rule is AlertRule => "alert" in rule && rule.alert !== WATCHDOG);

/** Reports whether the alert uses the metric that the rule records. */
export function isUsedBy(alert: string, record: string): boolean {
  return ALERTS.some((rule) => rule.alert === alert && rule.expr.includes(record));
}

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}

const DASHBOARDS = readdirSync(path.join(OBSERVABILITY, "dashboards")).map(
  (name) => JSON.parse(readFileSync(path.join(OBSERVABILITY, "dashboards", name), "utf8")) as Dashboard,
);

/** Returns the expressions of all panels. */
export function panelExpressions(): string[] {
  return DASHBOARDS.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)));
}
