// A function takes a tenant in the same way, whether its database has row-level security or not, and inside a transaction.
import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "@jest/globals";
import { connectPostgres, connectTenants, type Tenant, tenantOf } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import { createTestDatabase } from "@tradepost/testing";

interface Tables {
  notes: { tenant_id: string; note: string };
}

const database = await createTestDatabase();
const options = { url: database.url, connectionsMax: 2, logger: createLogger("test", "silent") };
const plain = connectPostgres<Tables>({ ...options, name: "plain" });
const { rows } = await plain.pool.query("select current_user as role");
const secured = connectTenants<Tables>({ ...options, name: "secured", role: rows[0].role });
await plain.pool.query("create table notes (tenant_id uuid not null, note text not null)");
afterAll(async () => {
  await plain.stop();
  await secured.stop();
  await database.drop();
});

async function write({ tenantId, query }: Tenant<Tables>, note: string): Promise<string[]> {
  const text = "insert into notes values ($1, $2) returning note";
  const { rows } = await query<{ note: string }>({ text, values: [tenantId, note] });
  return rows.map((row) => row.note);
}

async function readNotes({ db, tenantId }: Tenant<Tables>): Promise<string[]> {
  const rows = await db.selectFrom("notes").select("note").where("tenant_id", "=", tenantId).execute();
  return rows.map(({ note }) => note).sort();
}

test.each<[string, (id: string) => Tenant<Tables>]>([
  ["with", (id) => secured.of(id)],
  ["without", (id) => tenantOf(plain.db, id)],
])("%s row-level security, a transaction inside another is a part of it", async (_, of) => {
  const tenant = of(randomUUID());
  expect(await write(tenant, "alone")).toEqual(["alone"]);
  await write(tenant.batched, "batched");
  const failing = tenant.transaction(async (tx) => {
    await tx.transaction(async (inner) => write(inner, "inner"));
    await write(tx.batched, "outer");
    expect(await readNotes(tx)).toEqual(["alone", "batched", "inner", "outer"]);
    throw new Error("rolled back");
  });
  await expect(failing).rejects.toThrow("rolled back");
  expect(await readNotes(tenant)).toEqual(["alone", "batched"]);
  await tenant.transaction((tx) => tx.transaction((inner) => write(inner, "kept")));
  expect(await readNotes(tenant)).toEqual(["alone", "batched", "kept"]);
});
