// The API reads with a role that sees the rows of one tenant only, even in a statement without a condition on the tenant.
import { startWithReceiver } from "./support/use-webhooks.ts";

const ROLE = "tradepost_webhooks_tenant";
const DENIED = "42501";
const TABLES = [
  "notices",
  "subscriptions",
  "deliveries",
  "delivery_log",
  "attempts",
  "response_bodies",
  "reconciliations",
  "events",
  "received_bytes",
  "former_targets",
  "replays",
  "listeners",
];
const READABLE = [...TABLES, "all_deliveries", "reconciliation_states"];

const { webhooks, receiver, stop } = await startWithReceiver({ WEBHOOKS_RETRY_SCHEDULE: "1h" });
const client = await webhooks.pool.connect();
afterAll(async () => {
  client.release(true);
  await stop();
});
receiver.behave(({ path }) => (path === "/ok" ? 200 : 500));
const [ours, theirs] = [webhooks.tenant(), webhooks.tenant()];
for (const tenant of [ours, theirs]) {
  await tenant.owner().post("/v1/webhooks/listeners", { events: ["redirect.added"] });
  const ok = await tenant.subscribe("/ok");
  const failing = await tenant.subscribe("/failing");
  await tenant.unsubscribe((await tenant.subscribe("/deleted")).id);
  const since = new Date().toISOString();
  await tenant.act(ok.id, "recover", { since });
  await tenant.emit();
  await tenant.untilDelivery(ok.id, "delivered");
  await tenant.untilDelivery(failing.id, "retrying");
}
// The service would complete the reconciliations at once.
await webhooks.stopService();
for (const { tenantId } of [ours, theirs]) {
  const reconciliation =
    "insert into reconciliations (tenant_id, subscription_id) values ($1, gen_random_uuid())";
  await client.query(reconciliation, [tenantId]);
  const notice = `insert into notices (tenant_id, id, kind, subject, facts)
    values ($1, gen_random_uuid(), 'waiting_near_bound', 'All', '{}')`;
  await client.query(notice, [tenantId]);
}

const actAs = async (role: string, tenantId = "") => {
  await client.query("reset role");
  await client.query(`set role ${role}`);
  await client.query("select set_config('tradepost.tenant_id', $1, false)", [tenantId]);
};
const codeOf = async (statement: string): Promise<unknown> =>
  client.query(statement).then(
    ({ rowCount }) => rowCount,
    ({ code }) => code,
  );
const tenantsIn = async (table: string) =>
  (await client.query(`select distinct tenant_id from ${table}`)).rows.map((row) => row.tenant_id);

test.each(READABLE)(
  "shows the service all rows of %s, a tenant its own only, and nobody else any",
  async (table) => {
    await actAs("tradepost_webhooks");
    expect(await tenantsIn(table)).toEqual(expect.arrayContaining([ours.tenantId, theirs.tenantId]));
    await actAs(ROLE, ours.tenantId);
    expect(await tenantsIn(table)).toEqual([ours.tenantId]);
    await actAs(ROLE);
    expect(await tenantsIn(table)).toEqual([]);
  },
);

test("refuses a tenant every other table and every partition", async () => {
  await client.query("reset role");
  const { rows } = await client.query(
    `select oid::regclass::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')`,
  );
  const others = rows
    .map(({ name }) => name as string)
    .filter((name) => ![...READABLE, "offered_types"].includes(name));
  expect(others).toEqual(expect.arrayContaining(["events_other", "outbox", "delivery_log_other"]));
  await actAs(ROLE, ours.tenantId);
  for (const table of others) expect([table, await codeOf(`select from ${table}`)]).toEqual([table, DENIED]);
});

test("refuses a tenant the sealed secrets", async () => {
  await actAs(ROLE, ours.tenantId);
  for (const column of ["secret_sealed", "previous_secret_sealed", "headers_sealed"]) {
    expect(await codeOf(`select ${column} from subscriptions`)).toBe(DENIED);
  }
});

test.each(TABLES)("refuses a tenant every change of %s", async (table) => {
  await actAs(ROLE, ours.tenantId);
  expect(await codeOf(`delete from ${table}`)).toBe(DENIED);
  expect(await codeOf(`insert into ${table} default values`)).toBe(DENIED);
  expect(await codeOf(`update ${table} set tenant_id = tenant_id`)).toBe(DENIED);
  expect(await codeOf(`select from ${table} for update`)).toBe(DENIED);
});

test("cannot be switched off by the tenants' role", async () => {
  await actAs(ROLE, ours.tenantId);
  await client.query("set row_security = off");
  expect(await codeOf("select from deliveries")).toBe(DENIED);
  await client.query("reset row_security");
  expect(await codeOf("alter table deliveries disable row level security")).toBe(DENIED);
});
