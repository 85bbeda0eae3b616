// A tenant's redirects never form a loop (interface §5). redirect-concurrency.test.ts has requests at the same moment.
import { randomUUID } from "node:crypto";
import { outcome } from "./support/editing.ts";
import { ownTestContent, type TestTenant } from "./support/test-content.ts";

// After five, Postgres may keep one plan for all values.
const EXECUTIONS_BEFORE = 10;

const content = await ownTestContent();
const insert = (tenantId: string, from: number, to: number) =>
  content.sql(
    `insert into redirects (tenant_id, id, from_path, to_target, to_path, type)
     select $1, gen_random_uuid(), '/' || n, '/' || n + 1, '/' || n + 1, 301 from generate_series($2::int, $3) as n`,
    [tenantId, from, to],
  );

// A connection plans the lookups once, perhaps while the table is almost empty. So this test is the first.
test("redirects are followed by the index, although this was planned when the table had three rows", async () => {
  const tenantId = randomUUID();
  const client = await content.connect();
  const follow = async (path: string) =>
    (await client.query("select follow_redirects($1, $2, '/goal', 1000) as chain", [tenantId, path])).rows;
  const reads = async () => {
    const { rows } = await client.query(`
      select seq_scan::int as "seqScans", idx_tup_fetch::int as "rowsByIndex"
        from pg_stat_xact_user_tables where relname = 'redirects'`);
    return rows[0];
  };
  await insert(tenantId, 1, 3);
  expect(await content.sql("select from redirects")).toHaveLength(3);
  await content.sql("analyze redirects");
  await client.query("set role tradepost_content");
  await client.query("select set_config('tradepost.tenant_id', $1, false)", [tenantId]);
  for (let count = 0; count < EXECUTIONS_BEFORE; count += 1) await follow("/1");

  await insert(tenantId, 4, 10_000);
  await client.query("begin");
  const before = await reads();
  expect(await follow("/10000")).toEqual([{ chain: "end" }]);
  const after = await reads();
  await client.query("rollback");
  expect(after.seqScans - before.seqScans).toBe(0);
  expect(after.rowsByIndex - before.rowsByIndex).toBe(1);
});

describe("a loop of redirects", () => {
  const add = (tenant: TestTenant, from: string, to: string) => tenant.post("/v1/redirects", { from, to });

  test.each([
    ["to itself", "", "/a /a"],
    ["to itself, in another spelling", "", "/a/ /./a?x=1#y"],
    ["of two", "/a /b", "/b /a"],
    ["of three", "/a /b, /b /c", "/c /a"],
    ["of three, closed in the middle", "/c /a, /a /b", "/b /c"],
    ["of two, through a query", "/a /b?x=1", "/b /a#top"],
  ])("%s is refused with 409 redirect_loop", async (_what, chain, closing) => {
    const tenant = content.newTenant();
    const addEach = async (redirects: string) => {
      const outcomes = [];
      for (const redirect of redirects.split(", ").filter(Boolean)) {
        const [from = "", to = ""] = redirect.split(" ");
        outcomes.push(outcome(await add(tenant, from, to)));
      }
      return outcomes;
    };
    const added = await addEach(chain);
    expect(new Set(["201", ...added])).toEqual(new Set(["201"]));
    expect(await addEach(closing)).toEqual(["409 redirect_loop"]);
    expect((await tenant.get("/v1/redirects")).body.data).toHaveLength(added.length);
  });

  test("a chain, two redirects to the same path and a redirect to another site are not loops", async () => {
    const tenant = content.newTenant();
    for (const [from, to] of [
      ["/a", "/b"],
      ["/b", "/c"],
      ["/x", "/c"],
      ["/c", "https://shop.example/a"],
    ] as const) {
      expect(outcome(await add(tenant, from, to))).toBe("201");
    }
  });

  test("a deleted redirect no longer closes a loop", async () => {
    const tenant = content.newTenant();
    const { body } = await add(tenant, "/a", "/b");
    await tenant.delete(`/v1/redirects/${body.data.id}`);
    expect(outcome(await add(tenant, "/b", "/a"))).toBe("201");
    expect(outcome(await add(tenant, "/a", "/b"))).toBe("409 redirect_loop");
  });

  test("a redirect over 1,000 others is created, and one over 1,001 is refused with 409 redirect_loop", async () => {
    const tenant = content.newTenant();
    await insert(tenant.tenantId, 1, 1001);
    expect(outcome(await add(tenant, "/a", "/2"))).toBe("201");
    expect(outcome(await add(tenant, "/b", "/1"))).toBe("409 redirect_loop");
    expect(outcome(await add(tenant, "/1002", "/1"))).toBe("409 redirect_loop");
    expect(outcome(await add(tenant, "/1002", "/3"))).toBe("409 redirect_loop");
  });
});
