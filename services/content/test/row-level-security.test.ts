// Row-level security: with one tenant set, the service's role cannot read, change or insert another tenant's rows, even by
// statements without a condition on the tenant.
import { randomUUID } from "node:crypto";
import { dataOf, newLive, putType } from "./support/editing.ts";
import { insertMedia } from "./support/media-client.ts";
import { ownTestContent, type TestContent } from "./support/test-content.ts";

const READABLE = [
  "content_types",
  "entries",
  "entry_revisions",
  "entry_slugs",
  "media",
  "media_bytes",
  "storage_leftovers",
  "redirects",
  "idempotency_records",
];
const TENANT_TABLES = [...READABLE, "outbox"].sort();
const DENIED = "42501";

/** An update that the table's constraints allow, if the role may update the table. */
const UPDATES: Record<string, string> = {
  content_types: "name = 'Eve'",
  entries: "schedule_error = 'Eve'",
  entry_slugs: "slug = slug || '-eve'",
  media: "filename = 'eve'",
  storage_leftovers: "remove_at = now()",
};
const NOT_GRANTED: Record<string, string[]> = {
  content_types: ["delete"],
  entry_revisions: ["update"],
  idempotency_records: ["update"],
  media_bytes: ["delete"],
  redirects: ["update"],
};

const [ours, theirs] = [randomUUID(), randomUUID()];
const content = await ownTestContent();
const client = await content.connect();
for (const tenantId of [ours, theirs]) await fillTables(content, tenantId);

describe("row-level security", () => {
  const actAs = async (role: string, tenantId = "") => {
    await client.query("reset role");
    await client.query(`set role ${role}`);
    await client.query("select set_config('tradepost.tenant_id', $1, false)", [tenantId]);
  };
  const codeOf = async (statement: string, values: unknown[] = []): Promise<unknown> =>
    client.query(statement, values).then(
      ({ rowCount }) => rowCount,
      ({ code }) => code,
    );
  const tenantsIn = async (table: string) =>
    (await client.query(`select distinct tenant_id from ${table}`)).rows.map((row) => row.tenant_id);
  const rowsOf = (table: string, tenantId: string) =>
    content.sql(`select t::text from ${table} t where tenant_id = $1 order by 1`, [tenantId]);

  test("is forced on every table with a tenant", async () => {
    const rows = await content.sql(`
      select relname as name, relrowsecurity and relforcerowsecurity as forced
        from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'tenant_id'
       where relkind in ('r', 'p') and not relispartition order by relname`);
    expect(rows).toEqual(
      [...TENANT_TABLES, "event_bytes", "published_events"].sort().map((name) => ({ name, forced: true })),
    );
  });

  test.each(READABLE)("shows only the tenant's rows of %s, and none without a tenant", async (table) => {
    await actAs("tradepost_content", ours);
    expect(await tenantsIn(table)).toEqual([ours]);
    await actAs("tradepost_content", theirs);
    expect(await tenantsIn(table)).toEqual([theirs]);
    await actAs("tradepost_content");
    expect(await tenantsIn(table)).toEqual([]);
  });

  test.each(READABLE)(
    "refuses to change, delete, insert or move another tenant's rows of %s",
    async (table) => {
      const before = await rowsOf(table, theirs);
      expect(before.length).toBeGreaterThan(0);
      const mine = (await rowsOf(table, ours)).length;
      const missing = NOT_GRANTED[table] ?? [];
      await actAs("tradepost_content", ours);
      const update = UPDATES[table] ?? "tenant_id = tenant_id";
      expect(await codeOf(`update ${table} set ${update}`)).toBe(missing.includes("update") ? DENIED : mine);
      expect(await codeOf(`update ${table} set tenant_id = $1`, [theirs])).toBe(DENIED);
      const copy = `insert into ${table} select (json_populate_record(t, json_build_object('tenant_id', $1::uuid))).* from ${table} t`;
      expect(await codeOf(copy, [theirs])).toBe(DENIED);
      await client.query("begin");
      expect(await codeOf(`delete from ${table}`)).toBe(missing.includes("delete") ? DENIED : mine);
      await client.query("rollback");
      await actAs("tradepost_content");
      expect(await codeOf(`delete from ${table}`)).toBe(missing.includes("delete") ? DENIED : 0);
      expect(await rowsOf(table, theirs)).toEqual(before);
      expect((await rowsOf(table, ours)).length).toBe(mine);
    },
  );

  test("allows the tenant's events to be inserted and read, and none to be changed", async () => {
    await actAs("tradepost_content", ours);
    const newEvent = `
      insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
      values (gen_random_uuid(), gen_random_uuid(), 'redirect.added', $1, '', '', '{}', '{}')`;
    expect(await codeOf(newEvent, [theirs])).toBe(DENIED);
    for (const table of ["outbox", "published_events"]) {
      for (const statement of [`delete from ${table}`, `update ${table} set type = ''`]) {
        expect([statement, await codeOf(statement)]).toEqual([statement, DENIED]);
      }
      const seen = await tenantsIn(table);
      expect([table, seen.filter((id) => id !== ours)]).toEqual([table, []]);
    }
    const seen = [...(await tenantsIn("outbox")), ...(await tenantsIn("published_events"))];
    expect(seen.length).toBeGreaterThan(0);
    await actAs("tradepost_content");
    expect([await tenantsIn("outbox"), await tenantsIn("published_events")]).toEqual([[], []]);
  });

  test("shows the worker which work of every tenant is due, and nothing else", async () => {
    await actAs("tradepost_content_worker");
    for (const [table, columns] of [
      ["entries", "tenant_id, id, schedule_try_at"],
      ["media", "tenant_id, id, status, created_at, processing_until"],
      ["storage_leftovers", "*"],
      ["outbox", "*"],
      ["idempotency_records", "*"],
    ]) {
      expect([table, await codeOf(`select ${columns} from ${table}`)]).toEqual([table, expect.any(Number)]);
    }
    for (const table of ["entries", "media", "storage_leftovers"]) {
      expect([table, (await tenantsIn(table)).length]).toEqual([table, 2]);
    }
    for (const statement of [
      ...["content_types", "entry_revisions", "entry_slugs", "redirects"].map(
        (table) => `select from ${table}`,
      ),
      ...["slug", "type", "scheduled_by"].map((column) => `select ${column} from entries`),
      ...["filename", "uploaded_by"].map((column) => `select ${column} from media`),
      ...["update entries set schedule_try_at = now()", "delete from entries", "delete from media"],
      ...["update media set status = 'ready'", "update storage_leftovers set remove_at = now()"],
      "insert into idempotency_records select * from idempotency_records",
    ]) {
      expect([statement, await codeOf(statement)]).toEqual([statement, DENIED]);
    }
  });
});

/** Makes at least one row of the tenant in every table. */
async function fillTables(content: TestContent, tenantId: string): Promise<void> {
  const tenant = content.newTenant(tenantId);
  await putType(tenant);
  const { path } = await newLive(tenant, { title: "A" });
  await tenant.patch(path, { slug: "moved" });
  dataOf(await tenant.post("/v1/redirects", { from: "/a", to: "/b" }, { "idempotency-key": "key" }));
  dataOf(await tenant.post(`${path}/publish`));
  await insertMedia(content, tenantId, randomUUID());
  await content.sql("insert into storage_leftovers values ($1, gen_random_uuid(), 'infinity')", [tenantId]);
}
