import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { connectPostgres } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import {
  createTestDatabase,
  type FaultProxy,
  startFaultProxy,
  type TestDatabase,
  until,
} from "@tradepost/testing";

const logger = createLogger("test", "silent");

describe("a pool", () => {
  let database: TestDatabase;
  let proxy: FaultProxy;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await startFaultProxy(database.url);
  });

  afterAll(async () => {
    await proxy.stop();
    await database.drop();
  });

  const connect = (url: string) => connectPostgres({ url, name: "test", connectionsMax: 3, logger });

  test("has sessions in UTC, whatever the time zone of the database", async () => {
    const first = connect(database.url);
    const { rows } = await first.pool.query<{ name: string }>("select current_database() as name");
    await first.pool.query(`alter database ${rows[0]?.name} set timezone = 'Europe/Berlin'`);
    await first.stop();
    const second = connect(database.url);
    expect((await second.pool.query("show timezone")).rows).toEqual([{ TimeZone: "UTC" }]);
    await second.stop();
  });

  test("stops even if its server does not respond", async () => {
    const { pool, stop } = connect(proxy.url);
    await pool.query("select 1");
    proxy.blackhole();
    await stop();
    await proxy.restore();
  });

  test("stops while a statement is waiting, and the statement fails", async () => {
    const { pool, stop } = connect(proxy.url);
    await pool.query("select 1");
    proxy.blackhole();
    let failure: unknown;
    void pool.query("select 1").catch((error: unknown) => {
      failure = error;
    });
    await stop();
    await until("the statement to fail", () => failure);
    await proxy.restore();
  });
});
