// A function takes a tenant in the same way, whether its database has row-level security or not, and inside a transaction.
import { randomUUID } from "node:crypto";
import { connectTenants, type Tenant, tenantOf } from "@tradepost/postgres";
import { logger, useDatabase } from "./support/use-database.ts";

const { url, owner, atEnd } = await useDatabase<unknown>();
const { rows } = await owner.pool.query("select current_user as role");
const secured = connectTenants({ url, name: "secured", role: rows[0].role, connectionsMax: 2, logger });
atEnd(secured.stop);
await owner.pool.query("create table notes (tenant_id uuid not null, note text not null)");
const write = ({ tenantId, query }: Tenant<unknown>, note: string) =>
  query({ text: "insert into notes values ($1, $2)", values: [tenantId, note] });

test.each<[string, (id: string) => Tenant<unknown>]>([
  ["with", (id) => secured.of(id)],
  ["without", (id) => tenantOf(owner.db, id)],
])("%s row-level security, a transaction inside another is a part of it", async (_, of) => {
  const tenant = of(randomUUID());
  const failing = tenant.transaction(async (tx) => {
    await tx.transaction((inner) => write(inner, "inner"));
    await write(tx.batched, "outer");
    throw new Error("rolled back");
  });
  await expect(failing).rejects.toThrow("rolled back");
  await tenant.transaction((tx) => tx.transaction((inner) => write(inner, "kept")));
  await write(tenant.batched, "batched");
  const text = "select note from notes where tenant_id = $1 order by note";
  const { rows: notes } = await tenant.query({ text, values: [tenant.tenantId] });
  expect(notes).toEqual([{ note: "batched" }, { note: "kept" }]);
});
