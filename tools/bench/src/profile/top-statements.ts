// `--statements`: the statements that took most of Postgres's time in a run, including planning.
import type { Platform } from "@tradepost/devstack";
import pg from "pg";
import type { Probe } from "../observe.ts";

const STATEMENTS = 15;
const CHARACTERS = 100;

const SETTINGS = [
  "alter system set shared_preload_libraries = pg_stat_statements",
  "alter system set pg_stat_statements.track_planning = on",
];

const TOP = `
  select datname as database, calls, total_plan_time as planning_ms, total_exec_time as execution_ms, query,
         sum(total_plan_time + total_exec_time) over () as all_ms
    from pg_stat_statements join pg_database on pg_database.oid = dbid
   where query not like '%pg_stat_statements%'
   order by total_plan_time + total_exec_time desc
   limit ${STATEMENTS}`;

interface Statement {
  readonly database: string;
  readonly calls: string;
  readonly planning_ms: number;
  readonly execution_ms: number;
  readonly query: string;
  readonly all_ms: number;
}

/** Restarts Postgres with pg_stat_statements. Resolves to a reason if it is not available. */
export async function loadStatementStatistics(platform: Platform): Promise<string | undefined> {
  const isAvailable = await asSuperuser(platform, async (client) => {
    const found = await client.query("select from pg_available_extensions where name = 'pg_stat_statements'");
    if (found.rowCount === 0) return false;
    for (const setting of SETTINGS) await client.query(setting);
    return true;
  });
  if (!isAvailable) return "This Postgres has no pg_stat_statements.";
  await platform.process("postgres").restart();
  await platform.untilReady();
  await asSuperuser(platform, (client) => client.query("create extension pg_stat_statements"));
  return undefined;
}

export function topStatements(platform: Platform): Probe {
  const top = new Map<string, readonly Statement[]>();
  return {
    start: () =>
      asSuperuser(platform, async (client) => void (await client.query("select pg_stat_statements_reset()"))),
    stop: async (label) => {
      const { rows } = await asSuperuser(platform, (client) => client.query<Statement>(TOP));
      top.set(label, rows);
    },
    report: () => [...top].flatMap(([label, statements]) => format(label, statements)),
  };
}

async function asSuperuser<Outcome>(
  { superuserUrl }: Platform,
  run: (client: pg.Client) => Promise<Outcome>,
): Promise<Outcome> {
  const client = new pg.Client(superuserUrl);
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

function format(label: string, statements: readonly Statement[]): string[] {
  const total = statements[0]?.all_ms ?? 0;
  return [
    `${["statements", label].filter(Boolean).join(", ")}: ${total.toFixed(0)} ms in all; ms of planning + execution, calls:`,
    ...statements.map(
      ({ database, calls, planning_ms, execution_ms, query }) =>
        `  ${planning_ms.toFixed(0)} + ${execution_ms.toFixed(0)}, ${calls} × ${database}: ` +
        query.replace(/\s+/g, " ").trim().slice(0, CHARACTERS),
    ),
  ];
}
