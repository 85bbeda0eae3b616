// The chain of a tenant's audit log (interface §25): numbers without gaps, and hashes that the client verifies in an export.
import { randomUUID } from "node:crypto";
import { verifyAuditLog } from "@tradepost/client";
import { createLogger } from "@tradepost/runtime";
import { sql } from "kysely";
import { logHeads } from "../src/audit-log/audit-chain.ts";
import { useGateway } from "./support/test-gateway.ts";

const gateway = await useGateway();

const shop = async () => {
  const tenant = await gateway.createTenant();
  const read = async (query = "format=ndjson") =>
    (await tenant.owner.get(`/v1/audit-log/export?${query}`)).text;
  const lines = async () => (await read()).trimEnd().split("\n");
  const head = async () => (await tenant.owner.get("/v1/audit-log/head")).body.data;
  const verify = async () => await verifyAuditLog(await lines(), { head: await head() });
  return { ...tenant, read, lines, head, verify };
};
const insert = async (tenantId: string, changes: string, id = randomUUID(), db = gateway.db) =>
  await sql`
    insert into audit_log (tenant_id, id, actor_type, actor_id, actor_name, action, target_type, target_id, changes, request_id)
    values (${tenantId}, ${id}, 'user', 'u', 'Ada "A" Łé😀', 'test', 'test', 't', ${changes}::jsonb, 'r')
    on conflict (tenant_id, id) do nothing`.execute(db);

test("an export is a chain that ends at the head, whatever the entries contain", async () => {
  const tenant = await shop();
  const strange = {
    ...{
      "": [],
      b: {},
      a: [null, true, "\u0000".length, '\u0001\u001f\u007f\u2028"\\/', "é😀"],
      Z: { y: { x: [[]] } },
    },
    numbers: [
      0, -1, 0.1, 1.5e-7, 123456789012345680000, 1e21, 1e-6, 0.000012345, 9007199254740991, -2.5e30, 100,
    ],
  };
  await insert(tenant.tenantId, JSON.stringify(strange));
  await insert(tenant.tenantId, '{"padded": 1.500, "exponent": 1e3, "zero": -0.0}');
  for (let number = 0; number < 3; number += 1) await gateway.createKey(tenant);
  const lines = await tenant.lines();
  const head = await tenant.head();
  expect(await tenant.verify()).toEqual({ ok: true, entries: lines.length, firstFault: null });
  expect(head).toMatchObject({ n: lines.length, at: JSON.parse(lines.at(-1) ?? "").at });
  expect(lines.map((line) => JSON.parse(line).n)).toEqual(lines.map((_, index) => index + 1));
  expect((await tenant.audit("limit=1"))[0]).toEqual(JSON.parse(lines.at(-1) ?? ""));
  expect(JSON.parse(lines.find((line) => line.includes("numbers")) ?? "").changes).toEqual(strange);
});

test("entries that arrive at the same time, or twice, have one order without gaps", async () => {
  const [tenant, other] = [await shop(), await shop()];
  const ids = Array.from({ length: 40 }, () => randomUUID());
  await Promise.allSettled(
    [...ids, ...ids].map((id, index) => insert((index % 3 ? tenant : other).tenantId, `{"i": ${index}}`, id)),
  );
  await gateway.db
    .transaction()
    .execute(async (tx) => {
      await insert(tenant.tenantId, '{"rolled": "back"}', randomUUID(), tx);
      throw new Error("rolled back");
    })
    .catch(() => undefined);
  await insert(tenant.tenantId, "{}");
  for (const { verify } of [tenant, other]) expect(await verify()).toMatchObject({ ok: true });
});

test("an export goes on after a number, and is CSV by default", async () => {
  const tenant = await shop();
  const changes = Array.from({ length: 1_200 }, (_, index) => `{"i": ${index}}`);
  for (const one of changes) await insert(tenant.tenantId, one);
  const lines = await tenant.lines();
  expect(lines.length).toBeGreaterThan(1_200);
  expect(await tenant.read("format=ndjson&after=1000")).toBe(`${lines.slice(1_000).join("\n")}\n`);
  expect(await tenant.read(`format=ndjson&after=${lines.length}`)).toBe("");
  const [names, ...rows] = (await tenant.read("after=1190")).trimEnd().split("\r\n");
  expect(names).toBe(
    "n,at,actorType,actorId,actorName,action,targetType,targetId,changes,requestId,ip,userAgent,id,hash",
  );
  expect(rows).toHaveLength(lines.length - 1_190);
  expect(await tenant.read("format=ndjson&after=0")).toBe(`${lines.join("\n")}\n`);
  for (const [after, message] of [
    ["x", "must be a whole number"],
    ["-1", "must be a whole number"],
    [String(lines.length + 1), "is no id of this list"],
  ]) {
    const { status, body } = await tenant.owner.get(`/v1/audit-log/export?after=${after}`);
    expect([status, body.error.details]).toEqual([422, [{ path: "after", message }]]);
  }
});

test("the service cannot write a number, a hash or a head", async () => {
  const tenant = await shop();
  await sql`
    insert into audit_log (tenant_id, id, actor_type, actor_id, actor_name, action, target_type, target_id, changes, request_id, n, hash)
    values (${tenant.tenantId}, ${randomUUID()}, 'user', 'u', 'A', 'forged', 'test', 't', '{}', 'r', 99, '\\x00')`.execute(
    gateway.db,
  );
  expect(await tenant.verify()).toMatchObject({ ok: true });
  for (const statement of [
    "update audit_heads set n = 1",
    "delete from audit_heads",
    "update audit_log set n = 1",
  ]) {
    const asService = gateway.db.transaction().execute(async (tx) => {
      await sql`set local role tradepost_gateway`.execute(tx);
      await sql.raw(statement).execute(tx);
    });
    await expect(asService).rejects.toThrow("permission denied");
  }
});

test("heads that have grown are in the operator's log, once a day", async () => {
  const tenant = await shop();
  await insert(tenant.tenantId, "{}");
  const logged: { tenantId: string; n: number; hash: string }[] = [];
  const logger = createLogger("test", "info", (line) => logged.push(JSON.parse(line)));
  while ((await logHeads(gateway.db, logger)) > 0);
  const { n, hash } = await tenant.head();
  expect(logged.filter(({ tenantId }) => tenantId === tenant.tenantId)).toMatchObject([{ n, hash }]);
  await insert(tenant.tenantId, "{}");
  expect(await logHeads(gateway.db, logger)).toBe(0);
});
