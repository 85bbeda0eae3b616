// Counts the rows that a statement reads from tables, or from those whose names begin with `table`.
import { BY_INDEX, connectPostgres } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "../../src/tables.ts";
import type { TestWebhooks } from "./webhooks.ts";

interface PlanNode {
  readonly "Relation Name"?: string;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly PlanNode[];
}

/** As the role that sees the rows of one tenant, with these settings of the planner. */
export async function rowsReadByTenant(
  { databaseUrl }: Pick<TestWebhooks, "databaseUrl">,
  tenantId: string,
  statement: RawBuilder<unknown>,
  settings: Readonly<Record<string, string>> = BY_INDEX,
): Promise<number> {
  const { db, stop } = connectPostgres<Tables>({
    ...{ url: databaseUrl, role: "tradepost_webhooks_tenant", name: "test", connectionsMax: 1, settings },
    logger: createLogger("test", "silent"),
  });
  try {
    await sql`select set_config('tradepost.tenant_id', ${tenantId}, false)`.execute(db);
    return await rowsRead(db, statement);
  } finally {
    await stop();
  }
}

export async function rowsRead(
  db: Kysely<Tables>,
  statement: RawBuilder<unknown>,
  table = "",
): Promise<number> {
  const { rows } = await sql<{ "QUERY PLAN": [{ Plan: PlanNode }] }>`
    explain (analyze, timing off, format json) ${statement}`.execute(db);
  const plan = rows[0]?.["QUERY PLAN"][0].Plan;
  if (plan === undefined) throw new Error("no plan");
  return rowsReadBy(plan, table);
}

function rowsReadBy(node: PlanNode, table: string): number {
  const below = (node.Plans ?? []).reduce((sum, child) => sum + rowsReadBy(child, table), 0);
  if (node["Relation Name"]?.startsWith(table) !== true) return below;
  const perLoop =
    (node["Actual Rows"] ?? 0) +
    (node["Rows Removed by Filter"] ?? 0) +
    (node["Rows Removed by Index Recheck"] ?? 0);
  return below + perLoop * (node["Actual Loops"] ?? 0);
}
