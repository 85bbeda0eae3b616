// Migrations run once, even if the program that runs them is interrupted or started several times.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { migrate } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { connect, logger, useDatabase } from "./support/use-database.ts";

const folder = pathToFileURL(`${await mkdtemp(path.join(tmpdir(), "tradepost-migrations-"))}/`);
const { url, owner, atEnd } = await useDatabase();
atEnd(() => rm(folder, { recursive: true }));

const add = (name: string, text: string) =>
  writeFile(new URL(`${name}.sql`, folder), `-- works with: 0.2.0\n${text}`);
const run = () => migrate({ url, folder, logger });
const executed = async () =>
  (await owner.pool.query("select name from kysely_migration order by name")).rows.map(({ name }) => name);

test("three programs that start at the same moment run each migration once", async () => {
  await add("0001-a", "create table a (id int);");
  await add("0002-b", "create table b (id int);");
  await Promise.all([run(), run(), run()]);
  expect(await executed()).toEqual(["0001-a", "0002-b"]);
});

test("a migration whose connection ends leaves nothing, and is run again", async () => {
  await owner.pool.query("create table gate (id int); insert into gate values (1)");
  await add("0003-c", "create table c (id int);\nselect id from gate for update;");
  const holder = await owner.pool.connect();
  await holder.query("begin; select id from gate for update");
  const migrating = run();
  const ended = await until("the migration to wait", async () => {
    const { rows } = await owner.pool.query(
      `select pg_terminate_backend(pid) as ended from pg_stat_activity
        where datname = current_database() and application_name = 'migrate' and wait_event_type = 'Lock'`,
    );
    return rows.length > 0 && rows;
  });
  expect(ended).toEqual([{ ended: true }]);
  expect(await executed()).toEqual(["0001-a", "0002-b"]);
  holder.release(true);
  await migrating;
  expect(await executed()).toEqual(["0001-a", "0002-b", "0003-c"]);
  expect((await owner.pool.query("select from migration_promises")).rowCount).toBe(3);
});

test("a migration and a request that wait for each other: the migration gives way, and is run again", async () => {
  await add(
    "0004-both",
    "alter table a add column more int; select pg_sleep(0.3); alter table b add column more int;",
  );
  const request = await owner.pool.connect();
  await request.query("begin; insert into b values (1)");
  const migrating = run();
  await until("the migration to have locked the first table", async () => {
    const { rowCount } = await owner.pool.query(
      `select from pg_stat_activity
        where datname = current_database() and application_name = 'migrate' and wait_event = 'PgSleep'`,
    );
    return rowCount === 1;
  });
  expect((await request.query("select id from a")).rowCount).toBe(0);
  await request.query("commit");
  request.release();
  await migrating;
  expect((await executed()).at(-1)).toBe("0004-both");
});

test("a migration that waits for a lock says which session holds it", async () => {
  await add("0005-a", "alter table a add column last int;");
  const report = connect(url, { name: "the report" });
  const holder = await report.pool.connect();
  await holder.query("begin; select from a");
  let holders: { application: string; transactionSince: string }[] = [];
  const onLine = createLogger("test", "warn", (line) => {
    holders = JSON.parse(line).holders ?? holders;
  });
  const migrating = migrate({ url, folder, logger: onLine });
  await until("the holder", () => holders.length > 0);
  expect(holders).toMatchObject([{ application: "the report", transactionSince: expect.any(String) }]);
  holder.release(true);
  await migrating;
  await report.stop();
  expect((await executed()).at(-1)).toBe("0005-a");
});
