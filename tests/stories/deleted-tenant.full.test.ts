// The operator exports and deletes a tenant with rows everywhere, while another tenant exists. Nothing of the deleted tenant
// remains, and nothing of the other one changes (interface §9).
import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { dataMap, tenantTables } from "@tradepost/data-map";
import { SERVICES, type ServiceName } from "@tradepost/devstack";
import { connectPostgres } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { suspendDeliveries, type Tables as WebhooksTables } from "@tradepost/webhooks/operate";
import { messagesIn, publishMessages } from "../support/broker-messages.ts";
import { useEverything } from "../support/everything.ts";
import { opsJsonOn, opsOn } from "../support/run-ops.ts";
import { startTestPlatform, type TestTenant } from "../support/test-platform.ts";

const platform = await startTestPlatform({ WEBHOOKS_RETRY_SCHEDULE: "100ms" });
const receiver = await platform.startReceiver();
const folder = await mkdtemp(path.join(os.tmpdir(), "tradepost-export-"));
receiver.behave((request) => (request.path.startsWith("/failing") ? 500 : 200));
const { pools } = platform;
const [tenant, other] = await Promise.all([platform.createTenant(), platform.createTenant()]);
const { slug } = (await tenant.owner.get("/v1/me")).body.data.tenant;
const [file] = await Promise.all([
  useEverything(platform, tenant, receiver),
  useEverything(platform, other, receiver),
]);
afterAll(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

const ops = (...words: string[]) => opsOn(platform)(...words);
const opsJson = (...words: string[]) => opsJsonOn(platform)(...words);

/** Returns the number of rows of each table that contain the tenant's id anywhere. */
async function rowsWith(tenantId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const service of SERVICES) {
    for (const name of Object.keys(dataMap[service])) {
      const { rows } = await pools[service].query(
        `select count(*)::int as count from "${name}" as one where one::text like $1`,
        [`%${tenantId}%`],
      );
      if (rows[0].count > 0) counts[`${service}.${name}`] = rows[0].count;
    }
  }
  return counts;
}

const filesOf = async ({ tenantId }: TestTenant) =>
  (await readdir(platform.mediaDir, { recursive: true })).filter((name) => name.includes(tenantId));

async function deadMessagesOf({ tenantId }: TestTenant): Promise<number> {
  const messages = await messagesIn(platform.broker.amqpUrl, ["webhooks.dead"]);
  return messages.filter((message) => message.includes(tenantId)).length;
}

test.each(["orders", "content"] as const)(
  "no request of a deleted tenant writes an event of %s",
  async (service) => {
    const role = `tradepost_${service}`;
    // Every other row is inserted together with an event.
    const { rows } = await pools[service].query(
      "select tablename as name from pg_policies where policyname = 'not_deleted' order by 1",
    );
    expect(rows.map(({ name }) => name)).toEqual(service === "orders" ? ["customers", "outbox"] : ["outbox"]);
    const client = await pools[service].connect();
    try {
      const id = randomUUID();
      await client.query("begin");
      await client.query("insert into deleted_tenants (tenant_digest) values (sha256(uuid_send($1::uuid)))", [
        id,
      ]);
      await client.query(`set local role ${role}`);
      await client.query("select set_config('tradepost.tenant_id', $1, true)", [id]);
      const insert = client.query(
        "insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data) values (gen_random_uuid(), gen_random_uuid(), 't', $1, 'r', 't', '{}', '{}')",
        [id],
      );
      await expect(insert).rejects.toThrow(/row-level security policy/);
    } finally {
      await client.query("rollback");
      client.release();
    }
  },
);

test("an export has everything of the tenant, no secret, and nothing of another tenant", async () => {
  // The service adds the differences of the figures to the totals every 10 s.
  await until("the totals", async () => {
    const all = await Promise.all([other, tenant].map(({ tenantId }) => rowsWith(tenantId)));
    return all.every((rows) => !Object.hasOwn(rows, "orders.order_deltas"));
  });
  const target = path.join(folder, "tenant.jsonl");
  const result = await opsJson("tenant", "export", slug, "--to", target);
  const text = await readFile(target, "utf8");
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ kind: "archive", format: 1, tenantId: tenant.tenantId, slug });
  expect(lines.at(-1)).toEqual({ kind: "end", counts: result.counts });
  for (const service of SERVICES) {
    for (const { name, kind, tenantColumn } of tenantTables[service]) {
      // The counters of orders inherit from the totals.
      const { rows } = await pools[service].query(
        `select count(*)::int as count from "${name}"
          where "${tenantColumn}" = $1 and ($2 = 'order_counters' or tableoid is distinct from to_regclass('order_counters'))`,
        [tenant.tenantId, name],
      );
      const exported = lines.filter((line) => line.service === service && line.kind === kind).length;
      expect([name, exported, result.counts[service][kind]]).toEqual([name, rows[0].count, rows[0].count]);
    }
  }
  const order = lines.find(({ kind }) => kind === "order");
  expect(order.data).toMatchObject({
    total: 10,
    order_number: "1001",
    metadata: { tenant: tenant.tenantId },
  });
  const media = lines.find(({ kind, data }) => kind === "media" && data.filename === "noise.bin").data;
  const parts = lines.filter(({ key }) => key === `${tenant.tenantId}/${media.id}/original`);
  expect(parts.length).toBeGreaterThan(1);
  expect(Buffer.concat(parts.map(({ base64 }) => Buffer.from(base64, "base64"))).equals(file)).toBe(true);
  expect(text).not.toContain(other.tenantId);
  for (const [service, column, table] of [
    ["gateway", "password_hash", "users"],
    ["gateway", "secret_hash", "api_keys"],
    ["gateway", "refresh_hash", "sessions"],
    ["gateway", "token_hash", "setup_links"],
    ["gateway", "token_hash", "unfinished_sign_ins"],
    ["gateway", "secret_sealed", "second_factors"],
    ["gateway", "code_hash", "recovery_codes"],
    ["webhooks", "secret_sealed", "subscriptions"],
  ] as const) {
    const { rows } = await pools[service].query(
      `select ${column} as secret from ${table} where tenant_id = $1`,
      [tenant.tenantId],
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { secret } of rows) {
      expect(text).not.toContain(Buffer.isBuffer(secret) ? secret.toString("hex") : secret);
      if (Buffer.isBuffer(secret)) expect(text).not.toContain(secret.toString("base64"));
    }
    expect(text).not.toContain(`"${column}"`);
  }
  expect((await stat(target)).mode & 0o777).toBe(0o600);
  const before = await readFile(target);
  expect(await ops("tenant", "export", slug, "--to", target)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/exists already/),
  });
  expect((await readFile(target)).equals(before)).toBe(true);
  // A missing file or an unreadable storage gives no archive.
  await chmod(path.join(platform.mediaDir, tenant.tenantId), 0o000);
  const failed = await ops("tenant", "export", slug, "--to", path.join(folder, "other.jsonl"));
  await chmod(path.join(platform.mediaDir, tenant.tenantId), 0o755);
  if (process.getuid?.() !== 0) expect(failed.code).toBe(1);
  expect((await readdir(folder)).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("a deletion leaves nothing of the tenant, and everything of another tenant", async () => {
  const before = await rowsWith(other.tenantId);
  const filesBefore = await filesOf(other);
  const had = await rowsWith(tenant.tenantId);
  expect(Object.keys(had).sort()).toEqual(Object.keys(before).sort());
  expect(await filesOf(tenant)).not.toEqual([]);
  expect(await deadMessagesOf(tenant)).toBeGreaterThan(0);
  const { rows: inFlight } = await pools.content.query(
    "select event_id, type, tenant_id, request_id, actor, data, occurred_at from published_events where tenant_id = $1 and type = 'redirect.added'",
    [tenant.tenantId],
  );
  const [event] = inFlight;

  const dryRun = await ops("tenant", "delete", slug, "--json");
  expect(dryRun.code).toBe(1);
  const { wouldDelete } = JSON.parse(dryRun.stdout);
  expect(await rowsWith(tenant.tenantId)).toEqual(had);

  // The deletion is interrupted when it tries to read the queues.
  const broker = { ...platform.broker, amqpUrl: "amqp://127.0.0.1:1" };
  expect(await opsOn({ ...platform, broker })("tenant", "delete", slug, "--yes")).toMatchObject({ code: 2 });
  const listed = await opsJson("tenant", "list");
  expect(listed.find(({ tenantId }: { tenantId: string }) => tenantId === tenant.tenantId)).toMatchObject({
    suspended: true,
  });
  expect(await ops("tenant", "resume", slug)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/being deleted/),
  });

  // Two operators delete at once.
  const runs = await Promise.all([1, 2].map(() => opsJson("tenant", "delete", slug, "--yes")));
  expect(runs.map(({ tenantId }) => tenantId)).toEqual([tenant.tenantId, tenant.tenantId]);
  for (const { deleted } of runs) expect(deleted).toMatchObject({ orders: 0, content: 0, webhooks: 0 });
  // The deletion also deletes the audit entry about the suspension.
  expect(runs[0].deleted.gateway + runs[1].deleted.gateway).toBe(wouldDelete.gateway + 1);
  // A third operator found the tenant before the deletion, and now suspends it.
  const { db, stop } = connectPostgres<WebhooksTables>({
    ...{ url: platform.databases.webhooks, name: "test", connectionsMax: 1 },
    logger: createLogger("test", "silent"),
  });
  await suspendDeliveries(db, tenant.tenantId).finally(stop);

  expect(await rowsWith(other.tenantId)).toEqual(before);

  // Publishes messages that were still in queues: an event and an audit entry.
  const body = { ...event, id: randomUUID(), occurred_at: event.occurred_at.toISOString() };
  const { event_id: _, ...message } = body;
  const entry = {
    ...message,
    type: "webhook_subscription.created",
    data: { target: { type: "x", id: "y" }, changes: {} },
  };
  await publishMessages(platform.broker.amqpUrl, (channel) => {
    const options = { persistent: true, contentType: "application/json" };
    channel.publish("platform.events", "redirect.added", Buffer.from(JSON.stringify(message)), options);
    channel.publish("platform.audit", entry.type, Buffer.from(JSON.stringify(entry)), options);
  });
  // An event of the other tenant follows both messages.
  await other.key.post("/v1/redirects", { from: "/c", to: "/d" });
  const { length } = receiver.received.filter((request) => request.path === "/delivered");
  await until("the later event", async () => {
    const { rowCount } = await pools.webhooks.query(
      "select from events where tenant_id = $1 and type = 'redirect.added'",
      [other.tenantId],
    );
    return rowCount === 2;
  });
  expect(length).toBeGreaterThan(0);
  for (const queue of ["webhooks.events", "gateway.audit"]) {
    await until(`an empty ${queue}`, async () => {
      const queues: { name: string; ready: number; unacked: number }[] = await opsJson("queues");
      const found = queues.find(({ name }) => name === queue);
      return found !== undefined && found.ready + found.unacked === 0;
    });
  }
  expect(await messagesIn(platform.broker.amqpUrl, ["gateway.audit.poison"])).toEqual([]);

  expect(await rowsWith(tenant.tenantId)).toEqual({});
  expect(await filesOf(tenant)).toEqual([]);
  expect(await deadMessagesOf(tenant)).toBe(0);
  expect(await deadMessagesOf(other)).toBeGreaterThan(0);
  expect(await filesOf(other)).toEqual(filesBefore);
  expect((await tenant.key.get("/v1/me")).status).toBe(401);
  expect((await opsJson("verify")).ok).toBe(true);

  // The slug and the e-mail addresses are free again. The new tenant has nothing of the old one.
  const again = await opsJson(
    ...["tenant", "create", "--slug", slug, "--name", "Again", "--owner-email", `owner@${slug}.example`],
  );
  expect(again.tenantId).not.toBe(tenant.tenantId);
  expect(await ops("tenant", "delete", tenant.tenantId, "--yes")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/no tenant/),
  });
});

test("a tenant that a restored database has again is named by verify and deleted again", async () => {
  const { tenantId } = tenant;
  const forget = (service: ServiceName) =>
    pools[service].query("delete from deleted_tenants where tenant_digest = sha256(uuid_send($1::uuid))", [
      tenantId,
    ]);
  // Restores the databases to their state before the deletion.
  await forget("orders");
  await pools.orders.query("insert into order_counters (tenant_id, next_number) values ($1, 1002)", [
    tenantId,
  ]);
  await forget("content");
  expect(await opsJson("verify").catch((error: Error) => JSON.parse(error.message).faults)).toEqual([
    { kind: "tenant_undeleted", tenantId, count: 1, ids: ["orders"] },
  ]);
  expect((await opsJson("tenant", "delete", tenantId, "--yes")).deleted.orders).toBe(1);
  expect(await rowsWith(tenantId)).toEqual({});
  expect((await opsJson("verify")).ok).toBe(true);

  await forget("gateway");
  const restored = `back-${slug}`;
  await pools.gateway.query("insert into tenants (id, slug, name) values ($1, $2, 'Back')", [
    tenantId,
    restored,
  ]);
  expect(await opsJson("verify").catch((error: Error) => JSON.parse(error.message).faults)).toEqual([
    { kind: "tenant_undeleted", tenantId, count: 1, ids: ["gateway"] },
  ]);
  await opsJson("tenant", "delete", restored, "--yes");
  expect((await opsJson("verify")).ok).toBe(true);
});
