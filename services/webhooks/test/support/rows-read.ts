// Counts the rows that a statement reads from tables, or from those whose names begin with `table`.
import { BY_INDEX, connectPostgres } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import { nodesOf, type PlanNode, rowsReadBy } from "@tradepost/testing";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "../../src/tables.ts";
import type { TestWebhooks } from "./webhooks.ts";

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
  const nodes = nodesOf(plan).filter((node) => node["Relation Name"]?.startsWith(table));
  return nodes.reduce((sum, node) => sum + rowsReadBy(node), 0);
}
