// A connection plans the lookups of redirects once, perhaps while the table is almost empty. The plan must suit a full one.
import { randomUUID } from "node:crypto";
import { ownTestContent } from "./support/test-content.ts";

// After five, Postgres may keep one plan for all values.
const EXECUTIONS_BEFORE = 10;

const content = await ownTestContent();
const client = await content.connect();

describe("following redirects", () => {
  test("reads by the index, although it was planned when the table had three rows", async () => {
    const tenantId = randomUUID();
    const insert = (from: number, to: number) =>
      content.sql(
        `insert into redirects (tenant_id, id, from_path, to_target, to_path, type)
         select $1, gen_random_uuid(), '/' || n, '/to/' || n, '/to/' || n, 301 from generate_series($2::int, $3) as n`,
        [tenantId, from, to],
      );
    await insert(1, 3);
    await content.sql("analyze redirects");
    await client.query("set role tradepost_content");
    await client.query("select set_config('tradepost.tenant_id', $1, false)", [tenantId]);
    const follow = async (path: string) =>
      (await client.query("select follow_redirects($1, $2, '/goal', 1000) as chain", [tenantId, path])).rows;
    for (let count = 0; count < EXECUTIONS_BEFORE; count += 1) await follow("/1");

    await insert(4, 10_000);
    await client.query("begin");
    const before = await reads();
    expect(await follow("/9999")).toEqual([{ chain: "end" }]);
    const after = await reads();
    await client.query("rollback");
    expect(after.seqScans - before.seqScans).toBe(0);
    expect(after.rowsByIndex - before.rowsByIndex).toBe(1);
  });

  async function reads() {
    const { rows } = await client.query(`
      select seq_scan::int as "seqScans", idx_tup_fetch::int as "rowsByIndex"
        from pg_stat_xact_user_tables where relname = 'redirects'`);
    return rows[0];
  }
});
