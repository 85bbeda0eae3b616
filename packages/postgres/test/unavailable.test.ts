// Errors after which the same statement may succeed: by their codes, and real errors that pg reports in another way.
import { chown, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { isDatabaseUnavailable, migrate } from "@tradepost/postgres";
import { sleep } from "@tradepost/runtime";
import { startFaultProxy, until } from "@tradepost/testing";
import { connect, failureOf, logger, useDatabase } from "./support/use-database.ts";

const { url, owner } = await useDatabase();

const withCode = (code: string) => Object.assign(new Error(code), { code });

test.each([
  ...["08000", "08006", "25006", "25P03", "25P04", "40001", "40003", "40P01", "53100", "53200", "53300"],
  ...["55P03", "57014", "57P01", "57P02", "57P03", "57P05", "58030"],
  ...["EAI_AGAIN", "ECONNABORTED", "ECONNREFUSED", "ECONNRESET", "EHOSTDOWN", "EHOSTUNREACH", "ENETUNREACH"],
  ...["ENOTFOUND", "EPIPE", "ETIMEDOUT", "EMFILE"],
])("%s means that the database is unavailable", (code) => {
  expect(isDatabaseUnavailable(withCode(code))).toBe(true);
  expect(isDatabaseUnavailable(new AggregateError([withCode(code)]))).toBe(true);
});

test.each([
  ...["23505", "42P01", "42501", "3D000", "28P01", "22021", "25P02", "57P04", "53400", "XX000", "ENOENT"],
])("%s does not", (code) => expect(isDatabaseUnavailable(withCode(code))).toBe(false));

describe("isDatabaseUnavailable is true for", () => {
  test("a transaction that the server ended because it was idle", async () => {
    const client = await owner.pool.connect();
    const lost = new Promise((resolve) => client.once("error", resolve));
    await client.query("set idle_in_transaction_session_timeout = '20ms'");
    await client.query("begin");
    const failure = await lost;
    expect(failure).toMatchObject({ code: "25P03" });
    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect(isDatabaseUnavailable(await failureOf(client.query("select 1")))).toBe(true);
    client.release(true);
  });

  test("a host name that does not resolve", async () => {
    const nowhere = new URL(url);
    nowhere.hostname = "database.invalid";
    const unreachable = connect(nowhere.href);
    expect(isDatabaseUnavailable(await failureOf(unreachable.ping()))).toBe(true);
    await unreachable.stop();
  });
});

describe("migrate", () => {
  const folder = new URL("./migrations/", import.meta.url);
  const tableCount = async () =>
    (await owner.pool.query("select from pg_class where relname = 'migrated_things'")).rowCount;

  test("waits for a server that does not listen yet, and for a read-only database", async () => {
    const proxy = await startFaultProxy(url);
    await proxy.refuse();
    let state: "waiting" | "done" | Error = "waiting";
    void migrate({ url: proxy.url, folder, logger })
      .then(() => "done" as const)
      .catch((error: Error) => error)
      .then((end) => {
        state = end;
      });
    const name = new URL(url).pathname.slice(1);
    await owner.pool.query(`alter database ${name} set default_transaction_read_only = on`);
    await proxy.restore();
    // Time for several attempts.
    await sleep(1_500);
    expect(state).toBe("waiting");
    expect(await tableCount()).toBe(0);
    await owner.pool.query("set default_transaction_read_only = off");
    await owner.pool.query(`alter database ${name} reset default_transaction_read_only`);
    await until("the migration", () => state !== "waiting");
    expect(state).toBe("done");
    expect(await tableCount()).toBe(1);
    await proxy.stop();
  });
});

describe("ping rejects with a reason", () => {
  test("while Postgres cannot write files next to the tables, although it reads and responds", async () => {
    const admin = connect(String(process.env.TEST_POSTGRES_URL));
    const { rows } = await admin.pool.query<{ directory: string }>(
      "select current_setting('data_directory') as directory",
    );
    const { uid, gid } = await stat(rows[0]?.directory ?? "");
    const location = await mkdtemp(path.join(tmpdir(), "tablespace-"));
    await chown(location, uid, gid);
    const name = path.basename(location).toLowerCase().replace("-", "_");
    await admin.pool.query(`create tablespace ${name} location '${location}'`);
    await admin.pool.query(`create database ${name} tablespace ${name}`);
    const url = new URL(String(process.env.TEST_POSTGRES_URL));
    url.pathname = `/${name}`;
    const { ping, pool, stop } = connect(url.href);
    const [version = ""] = await readdir(location);
    const temporary = path.join(location, version, "pgsql_tmp");

    await writeFile(temporary, "a file where Postgres needs a directory");
    const failure = await ping().catch((error: unknown) => error);
    expect(failure).toMatchObject({ missing: "database_io_error" });
    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect((await pool.query("select 1")).rows).toHaveLength(1);
    await rm(temporary);
    await ping();

    await stop();
    await admin.pool.query(`drop database ${name}`);
    await admin.pool.query(`drop tablespace ${name}`);
    await admin.stop();
    await rm(location, { recursive: true });
  });
});
