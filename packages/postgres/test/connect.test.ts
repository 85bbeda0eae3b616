import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { isDatabaseUnavailable } from "@tradepost/postgres";
import { databaseAddress } from "@tradepost/runtime";
import { createAuthority, issueCertificate, startFaultProxy, startTlsProxy, until } from "@tradepost/testing";
import * as support from "./support/use-database.ts";

const database = await support.useDatabase();
const proxy = await startFaultProxy(database.url);
database.atEnd(proxy.stop);

describe("a pool", () => {
  const connect = (url: string, connectionsMax = 3) => support.connect(url, { connectionsMax });

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

  test("leaves a database that has turned read-only, with all connections", async () => {
    const { pool, stop } = connect(proxy.url);
    const pids = async () => {
      const clients = await Promise.all([1, 2, 3].map(() => pool.connect()));
      const results = await Promise.allSettled(
        clients.map((client) => client.query<{ pid: number }>("select pg_backend_pid() as pid")),
      );
      for (const client of clients) client.release();
      return results.map((result) => (result.status === "fulfilled" ? result.value.rows[0]?.pid : undefined));
    };
    const before = await pids();
    // As after a demotion: new connections reach the new primary.
    const client = await pool.connect();
    await client.query("set default_transaction_read_only = on");
    await expect(client.query("create table refused (id int)")).rejects.toMatchObject({ code: "25006" });
    client.release();
    await until("new connections", async () => {
      const now = await pids();
      return now.every((pid) => pid !== undefined && !before.includes(pid));
    });
    await pool.query("create table accepted (id int)");
    await stop();
  });

  test("leaves a database that a ping finds read-only", async () => {
    const { pool, ping, stop } = connect(proxy.url, 1);
    await pool.query("set default_transaction_read_only = on");
    await expect(ping()).rejects.toThrow("read-only");
    await until("a connection that accepts changes", () =>
      ping().then(
        () => true,
        () => false,
      ),
    );
    await stop();
  });
});

test("a database is trusted by the authority of its address, for the name of its certificate only", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "authority-"));
  database.atEnd(() => rm(folder, { recursive: true }));
  // Node does not trust this authority in tests.
  const authority = await createAuthority();
  const caFile = path.join(folder, "ca.crt");
  await writeFile(caFile, authority.certificate);
  const serveAs = async (name: string) => {
    const proxy = await startTlsProxy(database.url, await issueCertificate(authority, [name]));
    database.atEnd(proxy.stop);
    return proxy.url;
  };
  const [own, other] = await Promise.all([serveAs("127.0.0.1"), serveAs("another.example")]);
  const select = async (url: string) => {
    const { pool, stop } = support.connect(url);
    return await pool
      .query("select 1 as one")
      .then(({ rows }) => rows)
      .finally(stop);
  };
  expect(await select(databaseAddress(own, { POSTGRES_CA_FILE: caFile }))).toEqual([{ one: 1 }]);
  await expect(select(databaseAddress(other, { POSTGRES_CA_FILE: caFile }))).rejects.toThrow(/altnames/);
  await expect(select(`${own}?sslmode=verify-full`)).rejects.toThrow(/certificate/);
});

// With standbys: tests/recovery/isolated-primary.full.test.ts (interface §21).
test("a database without standbys is waited for neither now nor, while its connections are taken, for 30 s", async () => {
  const { pool, replicated, stop } = support.connect(database.url);
  const { now } = performance;
  const afterSeconds = (seconds: number) => {
    performance.now = () => now.call(performance) + seconds * 1_000;
  };
  try {
    await replicated();
    const client = await pool.connect();
    afterSeconds(4);
    await replicated();
    afterSeconds(29);
    await replicated();
    afterSeconds(31);
    expect(isDatabaseUnavailable(await support.failureOf(replicated()))).toBe(true);
    client.release();
    await replicated();
  } finally {
    performance.now = now;
    await stop();
  }
});
