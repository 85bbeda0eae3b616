// Deletes a tenant's rows in batches while another session changes them.
import { connectPostgres } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import { createTestDatabase, openTestPool, until } from "@tradepost/testing";
import { deleteRows } from "../src/tenant-deletion.ts";

test("goes on after a deadlock with a transaction that changes the rows in another order", async () => {
  const tenantId = "0198a000-0000-7000-8000-000000000001";
  await using ended = new AsyncDisposableStack();
  const database = await createTestDatabase();
  ended.defer(database.drop);
  const logger = createLogger("test", "silent");
  const postgres = connectPostgres<Record<string, never>>({
    url: database.url,
    name: "test",
    connectionsMax: 1,
    logger,
  });
  ended.defer(postgres.stop);
  const service = openTestPool(database.url, 1);
  ended.defer(() => service.end());
  await service.query("create table rows (tenant_id uuid, n integer)");
  await service.query("insert into rows select $1, n from generate_series(1, 3000) n", [tenantId]);
  // The deletion detects the deadlock first, so it is the one that is aborted.
  await service.query("set deadlock_timeout = '1h'");

  await service.query("begin");
  await service.query("update rows set n = n where n = 1500");
  const deleting = deleteRows(postgres.db, { name: "rows", tenantColumn: "tenant_id" }, tenantId);
  await until("the deletion to wait", async () => {
    await service.query("select pg_stat_clear_snapshot()");
    const { rowCount } = await service.query(
      "select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()",
    );
    return rowCount === 1;
  });
  await service.query("update rows set n = n where n = 1");
  await service.query("commit");
  expect(await deleting).toBe(3000);
  expect((await service.query("select from rows")).rowCount).toBe(0);
});
