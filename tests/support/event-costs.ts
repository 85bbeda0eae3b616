// Compares the counted costs of the platform with the table of costs.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "@tradepost/devstack";
import type { Measured } from "./counted-platform.ts";
import type { Counts } from "./counts.ts";

const TABLE = "tools/checks/event-costs.json";
const FILE = path.join(ROOT, TABLE);
const RECORD = "RECORD_EVENT_COSTS";

/** Counts by name, of each measured action. */
type Costs = Readonly<Record<string, Readonly<Record<string, number>>>>;

const WRITE_OF_LOG = /^statement of gateway: with logged as /;
const WITH_LOG = /^(flushes|(round trips|statements): gateway)$/;

// Counts that only explain other counts.
const DETAIL = /^(all|calls|statement of|log line:|WAL record:)/;

/**
 * Returns the costs of one run, without the platform's work at rest in the same time, and without the log of requests, which is written
 * once a second: the slower the machine, the more often in a run.
 */
export function costOf(measured: Measured, rest?: Measured): Counts {
  const costs = new Map<string, number>();
  const ofRequestLog = [...measured.passed.counts].find(([name]) => WRITE_OF_LOG.test(name))?.[1] ?? 0;
  for (const part of ["passed", "written"] as const) {
    const { counts, ms } = measured[part];
    for (const [name, count] of counts) {
      const atRest = rest === undefined ? 0 : ((rest[part].counts.get(name) ?? 0) * ms) / rest[part].ms;
      const ofLog = WITH_LOG.test(name) ? ofRequestLog : 0;
      costs.set(name, Math.max(0, count - atRest - ofLog) / measured.times);
    }
  }
  return costs;
}

/**
 * Compares the costs with the table, or writes the table if RECORD_EVENT_COSTS is set. Throws an Error that says which costs are higher,
 * or lower by more than a fifth, and what they consist of.
 */
export function compareWithTable(counted: ReadonlyMap<string, Counts>): void {
  const costs = Object.fromEntries([...counted].map(([what, counts]) => [what, tableOf(counts)]));
  if (process.env[RECORD]) writeFileSync(FILE, `${JSON.stringify(costs, null, 2)}\n`);
  const table = readTable();
  const details = [...counted].map(([what, counts]) => `${what}\n${detailsOf(counts)}`).join("\n\n");
  writeFileSync(path.join(ROOT, ".cache/event-costs.txt"), `${details}\n`);
  const faults = [...counted].flatMap(([what, counts]) => faultsOf(what, counts, table[what] ?? {}));
  if (faults.length === 0) return;
  const concerned = [...counted].filter(([what]) => faults.some((fault) => fault.startsWith(`${what}: `)));
  throw new Error(
    [
      ...faults,
      `\`${RECORD}=true npm test -- cost-of-an-event\` writes ${TABLE}; \`npm run tool -- docs\` follows. A number rises only in a commit of its own that says why.`,
      ...concerned.map(([what, counts]) => `\n${what}\n${detailsOf(counts)}`),
    ].join("\n"),
  );
}

export function isAsInTable(what: string, counts: Counts): boolean {
  return faultsOf(what, counts, readTable()[what] ?? {}).length === 0;
}

function readTable(): Costs {
  return JSON.parse(readFileSync(FILE, "utf8"));
}

function faultsOf(what: string, counts: Counts, table: Readonly<Record<string, number>>): string[] {
  const names = new Set([...Object.keys(table), ...counts.keys()]);
  return [...names]
    .filter((name) => !DETAIL.test(name))
    .flatMap((name) => {
      const [cost, most] = [counts.get(name) ?? 0, table[name] ?? 0];
      const margin = Math.max(name === "WAL records" ? 1.5 : MARGIN_MIN, most * MARGIN_SHARE);
      const text = `${what}: ${name}: ${cost.toFixed(2)}, and ${TABLE} has ${most}`;
      if (cost > most + margin) return text;
      if (what !== AT_REST && most > cost * GAIN_KEPT + margin)
        return `${text}, which is more than a fifth too high`;
      return [];
    });
}

// Runs differ by a few looks for work.
const MARGIN_MIN = 0.8;
const MARGIN_SHARE = 0.05;
const GAIN_KEPT = 1.2;
// Some work is done once a minute, and may be in the time that is counted.
export const AT_REST = "a second at rest";

/** Rounded, so that it differs little between runs. */
function tableOf(counts: Counts): Record<string, number> {
  const rounded = [...counts].map(
    ([name, cost]) => [name, cost < 10 ? Math.round(cost * 2) / 2 : Math.round(cost)] as const,
  );
  return Object.fromEntries(rounded.filter(([name, cost]) => cost > 0 && !DETAIL.test(name)).sort());
}

function detailsOf(counts: Counts): string {
  return [...counts]
    .filter(([name, cost]) => name !== "all" && name !== "calls" && cost >= DETAIL_MIN)
    .sort(([one, cost], [other, otherCost]) => kindOf(one).localeCompare(kindOf(other)) || otherCost - cost)
    .map(([name, cost]) => `${cost.toFixed(2).padStart(9)}  ${name.slice(0, DETAIL_LENGTH)}`)
    .join("\n");
}

const DETAIL_MIN = 0.03;
const DETAIL_LENGTH = 200;

function kindOf(name: string): string {
  return name.split(":", 1)[0] ?? "";
}
