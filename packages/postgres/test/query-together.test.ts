import { queryTogether } from "@tradepost/postgres";
import { databaseAddress } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import type { PoolClient } from "pg";
import { connect, useDatabase } from "./support/use-database.ts";

const INSERT = { text: "insert into notes (id) values ($1)" };
const SELECT_JSON = {
  text: "select id, '{\"a\":12345678901234567890}'::json as json from notes where id = $1",
};
const COUNT = { text: "select count(*)::integer as count from notes" };
const WAIT_FOR_LOCK = { text: "select pg_advisory_xact_lock(1)" };

const { url, owner } = await useDatabase();
await owner.pool.query("create table notes (id integer primary key)");

describe.each(["none", "transaction"] as const)("statements sent together, pooler: %s", (pooler) => {
  const postgres = connect(databaseAddress(url, { POSTGRES_POOLER: pooler }), { connectionsMax: 3 });
  afterAll(() => postgres.stop());
  let client: PoolClient;

  beforeEach(async () => {
    await postgres.pool.query("truncate notes");
    client = await postgres.pool.connect();
  });

  // A failed test may leave a transaction behind.
  afterEach(() => client.release(true));

  test("resolve with their results in order", async () => {
    const results = await queryTogether(client, [
      { text: "begin" },
      { ...INSERT, values: [1] },
      { ...SELECT_JSON, values: [1] },
      { ...SELECT_JSON, values: [2] },
      { text: "commit" },
    ]);
    expect(results.map(({ command, rowCount }) => [command, rowCount])).toEqual([
      ["BEGIN", null],
      ["INSERT", 1],
      ["SELECT", 1],
      ["SELECT", 0],
      ["COMMIT", null],
    ]);
    expect(JSON.stringify(results[2]?.rows)).toBe('[{"id":1,"json":{"a":12345678901234567890}}]');
    expect((await postgres.pool.query(COUNT)).rows).toEqual([{ count: 1 }]);
  });

  test("resolve with one result when there is one statement", async () => {
    const results = await queryTogether(client, [COUNT]);
    expect(results.map(({ rows }) => rows)).toEqual([[{ count: 0 }]]);
  });

  test("are prepared once on a connection", async () => {
    for (const id of [1, 2]) await queryTogether(client, [{ ...INSERT, values: [id] }, COUNT]);
    const { rows } = await client.query(
      "select statement from pg_prepared_statements where statement !~ '^select set_config' order by statement",
    );
    expect(rows).toEqual([{ statement: INSERT.text }, { statement: COUNT.text }]);
  });

  test("see what was committed while an earlier one waited", async () => {
    const other = await postgres.pool.connect();
    await other.query("begin; select pg_advisory_xact_lock(1)");
    const sent = queryTogether(client, [{ text: "begin" }, WAIT_FOR_LOCK, COUNT]);
    await until("the wait for the lock", async () => {
      const { rows } = await other.query("select from pg_locks where locktype = 'advisory' and not granted");
      return rows.length > 0;
    });
    await other.query({ ...INSERT, values: [1] });
    await other.query("commit");
    expect((await sent).at(-1)?.rows).toEqual([{ count: 1 }]);
    await client.query("commit");
    other.release();
  });

  test("fail with the first error, and the statements after it do not run", async () => {
    const sent = queryTogether(client, [
      { ...INSERT, values: [1] },
      { ...INSERT, values: [1] },
      { ...INSERT, values: [2] },
    ]);
    await expect(sent).rejects.toMatchObject({ code: "23505" });
    // Without an explicit transaction, the statements together are one transaction.
    expect((await postgres.pool.query(COUNT)).rows).toEqual([{ count: 0 }]);
  });

  test("fail when the connection is lost", async () => {
    const pid = (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid;
    const sent = queryTogether(client, [{ text: "select pg_sleep(60)" }, COUNT]);
    await Promise.all([
      expect(sent).rejects.toThrow(),
      postgres.pool.query("select pg_terminate_backend($1)", [pid]),
    ]);
  });

  test("are not prepared for a pooler that cannot carry prepared statements", async () => {
    const unprepared = connect(url, { prepare: false });
    const through = await unprepared.pool.connect();
    const results = await queryTogether(through, [{ text: "begin" }, COUNT, { text: "commit" }]);
    expect(results.map(({ rows }) => rows)).toEqual([[], [{ count: 0 }], []]);
    expect((await through.query("select from pg_prepared_statements")).rows).toEqual([]);
    through.release();
    await unprepared.stop();
  });
});
