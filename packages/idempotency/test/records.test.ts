// The table of records: a response that is replaced, records that are renewed after a restore, and expired records that are
// deleted.
import { randomUUID } from "node:crypto";
import { until } from "@tradepost/testing";
import { insertRecord, renewRecords, replaceRecord, startDeletingExpiredRecords } from "../src/index.ts";
import { findRecord } from "../src/record-store.ts";
import { logger, outcome, useTestNotes } from "./support/test-notes.ts";

const notes = await useTestNotes();
const owner = notes.connect({ name: "owner", connectionsMax: 2 });

const newKey = () => ({ route: "POST /v1/notes", key: randomUUID(), fingerprint: Buffer.alloc(32, 1) });
const newTenant = () => ({ tenantId: randomUUID(), db: owner.db });
const response = (data: string) => ({ status: 202, headers: { etag: '"1"' }, body: { success: true, data } });
const stored = async (tenant: ReturnType<typeof newTenant>, key: ReturnType<typeof newKey>) => {
  const record = await findRecord(tenant, key);
  return record && [record.response.status, record.response.headers?.etag, String(record.response.bytes)];
};
/** Inserts records of a tenant that are as old as the intervals say. */
const insertAged = (tenantId: string, ages: readonly string[]) =>
  notes.owner.query(
    `insert into idempotency_records (tenant_id, route, key, fingerprint, answer, created_at)
     select $1, 'POST /v1/notes', position, '', '{}', now() - age::interval
       from unnest($2::text[]) with ordinality as record (age, position)`,
    [tenantId, ages],
  );
const keysOf = async (tenantId: string): Promise<string[]> => {
  const { rows } = await notes.owner.query<{ key: string }>(
    "select key from idempotency_records where tenant_id = $1 order by key",
    [tenantId],
  );
  return rows.map(({ key }) => key);
};

test("a response is replaced in the record of its request only", async () => {
  const tenant = newTenant();
  const key = newKey();
  const others: [ReturnType<typeof newTenant>, ReturnType<typeof newKey>][] = [
    [newTenant(), key],
    [tenant, newKey()],
    [tenant, { ...key, route: "POST /v1/other" }],
  ];
  await insertRecord(tenant, key, response("started"));
  for (const [otherTenant, otherKey] of others) await insertRecord(otherTenant, otherKey, response("other"));
  await replaceRecord(tenant, { ...key, fingerprint: Buffer.alloc(32, 2) }, response("of another request"));
  await replaceRecord(tenant, null, response("without a key"));
  expect(await stored(tenant, key)).toEqual([202, '"1"', '{"success":true,"data":"started"}']);
  await replaceRecord(tenant, key, { ...response("finished"), status: 200 });
  expect(await stored(tenant, key)).toEqual([200, '"1"', '{"success":true,"data":"finished"}']);
  for (const [otherTenant, otherKey] of others) {
    expect(await stored(otherTenant, otherKey)).toEqual([202, '"1"', '{"success":true,"data":"other"}']);
  }
});

test("records that were valid at a moment are valid for 24 hours from now", async () => {
  await notes.owner.query("truncate idempotency_records");
  const { tenantId, client, age } = notes.openTenant();
  const create = () => client.post("/v1/notes", { text: "a" }, { "idempotency-key": "k" });
  const first = await create();
  await age("30 hours");
  await insertAged(tenantId, ["20 hours", "33 hours 59 minutes", "34 hours 1 minute"]);
  expect(await renewRecords(owner.db, new Date(Date.now() - 10 * 3_600_000))).toBe(3);
  const again = await create();
  expect([outcome(again), again.text]).toEqual([[201, true], first.text]);
  const { rows } = await notes.owner.query(
    `select key from idempotency_records
      where tenant_id = $1 and created_at > now() - interval '1 hour' order by key`,
    [tenantId],
  );
  expect(rows.map(({ key }) => key)).toEqual(["1", "2", "k"]);
  expect(await renewRecords(owner.db, new Date(Date.now() + 24 * 3_600_000))).toBe(0);
});

test("expired records are deleted in batches, and no others, though two replicas delete at once", async () => {
  const [old, young] = [randomUUID(), randomUUID()];
  await insertAged(old, Array(2_500).fill("24 hours"));
  await insertAged(young, ["23 hours 59 minutes", "0"]);
  // Each acts as a role that may select and delete, and not update.
  const deleting = [1, 2].map(() => {
    const { pool } = notes.connect({ role: notes.role, name: "worker", connectionsMax: 1 });
    return startDeletingExpiredRecords(pool, logger);
  });
  await until("the old records to go", async () => (await keysOf(old)).length === 0);
  expect(await keysOf(young)).toEqual(["1", "2"]);
  await Promise.all(deleting.map(({ stop }) => stop()));
});
