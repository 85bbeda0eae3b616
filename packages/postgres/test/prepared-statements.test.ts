// Every statement with values is prepared under a name, unless that is turned off or could fail after a migration.
import { connectTenants, inTransaction, isDatabaseUnavailable, type Postgres } from "@tradepost/postgres";
import type { QueryConfig } from "pg";
import { NAMES_MAX } from "../src/statement-names.ts";
import * as support from "./support/use-database.ts";

interface Tables {
  mugs: { id: number; colour: string };
}

const PREPARED = "select statement from pg_prepared_statements order by 1";
const { url } = await support.useDatabase();

describe("prepared statements", () => {
  let postgres: Postgres<Tables>;
  const connect = (options: { prepare?: boolean; pipeline?: boolean } = {}) =>
    support.connect<Tables>(url, options);
  const prepared = async () => {
    const { rows } = await postgres.pool.query<{ statement: string }>(PREPARED);
    return rows.map(({ statement }) => statement);
  };

  beforeEach(async () => {
    postgres = connect();
    await postgres.pool.query("create table mugs (id integer primary key, colour text not null)");
    await postgres.pool.query("insert into mugs select id, 'blue' from generate_series(1, 3) id");
  });

  afterEach(async () => {
    await postgres.pool.query("drop table mugs");
    await postgres.stop();
  });

  test("are made from each statement with values, however it is sent", async () => {
    const { pool, db } = postgres;
    await pool.query("select 1 + $1::int", [1]);
    await pool.query({ text: "select 2 + $1::int", values: [1] });
    await pool.query({ name: "ignored", text: "select 3 + $1::int" }, [1]);
    await inTransaction(pool, (client) => client.query("select 4 + $1::int", [1]));
    const fromCallback = await new Promise((resolve, reject) => {
      pool.query("select 5 + $1::int as five", [0], (error, { rows }) =>
        error ? reject(error) : resolve(rows),
      );
    });
    expect(fromCallback).toEqual([{ five: 5 }]);
    await db.selectFrom("mugs").select("id").where("colour", "=", "blue").execute();
    expect(await prepared()).toEqual([
      'select "id" from "mugs" where "colour" = $1',
      ...[1, 2, 3, 4, 5].map((n) => expect.stringContaining(`select ${n} + $1::int`)),
    ]);
  });

  test("are parsed once for each connection", async () => {
    for (let n = 0; n < 7; n += 1) await postgres.pool.query("select colour from mugs where id = $1", [n]);
    const { rows } = await postgres.pool.query(
      "select name, (generic_plans + custom_plans)::int as uses from pg_prepared_statements",
    );
    expect(rows).toEqual([{ name: expect.stringMatching(/^s_[\w-]{43}$/), uses: 7 }]);
  });

  test("are not made from statements without values", async () => {
    await postgres.pool.query("select 1");
    await postgres.pool.query({ name: "ignored", text: "select 2", values: [] });
    await inTransaction(postgres.pool, (client) => client.query("set local work_mem = '1MB'"));
    expect(await prepared()).toEqual([]);
  });

  test("are at most 256 in a pool", async () => {
    for (let n = 0; n < NAMES_MAX + 5; n += 1) {
      const { rows } = await postgres.pool.query(`select $1::int as of_${n}`, [n]);
      expect(rows).toEqual([{ [`of_${n}`]: n }]);
    }
    expect((await prepared()).length).toBe(NAMES_MAX);
  });

  test("do not exist if they are turned off", async () => {
    await postgres.stop();
    postgres = connect({ prepare: false });
    await postgres.pool.query({ name: "ignored", text: "select 1 + $1::int", values: [1] });
    await postgres.db.selectFrom("mugs").select("id").where("id", "=", 1).execute();
    expect(await prepared()).toEqual([]);
  });

  test.each([true, false])("set the tenant, if they are on: %s", async (prepare) => {
    await postgres.pool.query(`
      do $$ begin create role tradepost_prepared_test nologin;
        exception when duplicate_object or unique_violation then null; end $$`);
    const role = "tradepost_prepared_test";
    const login = { url, name: "test", role, connectionsMax: 1, logger: support.logger };
    const tenants = connectTenants({ ...login, prepare });
    const tenant = tenants.of("tenant");
    await tenant.query({ text: "select $1::int", values: [1] });
    await Promise.all(
      [1, 2].map((value) => tenant.batched.query({ text: "select $1::int", values: [value] })),
    );
    const { rows } = await tenant.query({ text: PREPARED });
    expect(rows.map(({ statement }) => statement)).toEqual(
      prepare ? ["select $1::int", expect.stringContaining("set_config('tradepost.tenant_id', $1")] : [],
    );
    await tenants.stop();
  });

  test("of the same text do not fail with the one that is being parsed", async () => {
    const pipelined = connect({ pipeline: true });
    const client = await pipelined.pool.connect();
    const select = (table: string) =>
      client.query(`select count(*)::int as n from ${table} where id > $1`, [0]);
    const missing = select("cups");
    const created = client.query("create table cups (id integer)");
    const outcomes = await Promise.allSettled([missing, created, select("cups"), select("cups")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled", "fulfilled"]);
    const later = await Promise.all([select("cups"), select("cups"), client.query("drop table cups")]);
    expect(later[1].rows).toEqual([{ n: 0 }]);
    client.release();
    await pipelined.stop();
  });

  test("are not made from a result with `*` in a transaction", async () => {
    const [alone, inside, after] = ["select 1, *", "select 2, *", "select 3, *"].map((start) => ({
      text: `${start} from mugs where id = $1`,
      values: [1],
    }));
    await postgres.pool.query(alone as QueryConfig);
    await inTransaction(postgres.pool, (client) => client.query(inside as QueryConfig));
    await postgres.db
      .transaction()
      .execute((tx) => tx.selectFrom("mugs").selectAll().where("id", "=", 1).execute());
    await postgres.pool.query(after as QueryConfig);
    expect(await prepared()).toEqual([alone?.text, after?.text]);
  });

  describe("after a migration", () => {
    const selectAll = { text: "select * from mugs where id = $1", values: [1] };
    const selectColour = { text: "select colour from mugs where id = $1", values: [1] };
    const update = { text: "update mugs set colour = colour where id = $1 returning *", values: [1] };

    test("that adds a column, `*` has it, also in a transaction", async () => {
      const { pool } = postgres;
      const readAll = async () => {
        const alone = await pool.query(selectAll);
        const [selected, updated] = await inTransaction(pool, async (client) => [
          await client.query(selectAll),
          await client.query(update),
        ]);
        return [alone, selected, updated].map((result) => result?.rows[0]);
      };
      for (let n = 0; n < 7; n += 1) await readAll();
      await pool.query("alter table mugs add column size integer default 3");
      const mug = { id: 1, colour: "blue", size: 3 };
      expect(await readAll()).toEqual([mug, mug, mug]);
    });

    test("that changes a column's type, statements succeed outside of transactions", async () => {
      await postgres.pool.query(selectColour);
      await postgres.pool.query("alter table mugs alter colour type varchar(9)");
      expect((await postgres.pool.query(selectColour)).rows).toEqual([{ colour: "blue" }]);
      expect((await postgres.pool.query(selectColour)).rows).toEqual([{ colour: "blue" }]);
      // The old statement and the new one.
      expect(await prepared()).toEqual([selectColour.text, selectColour.text]);
    });

    test("that changes a column's type, a transaction succeeds when it is repeated", async () => {
      const { pool } = postgres;
      const transaction = () => inTransaction(pool, (client) => client.query(selectColour));
      await transaction();
      await pool.query("alter table mugs alter colour type varchar(9)");
      const error = await transaction().catch((failure: unknown) => failure);
      expect(isDatabaseUnavailable(error)).toBe(true);
      expect((await transaction()).rows).toEqual([{ colour: "blue" }]);
    });

    test("that changes a column's type, a pipelined transaction fails as a whole", async () => {
      const pipelined = connect({ pipeline: true });
      const client = await pipelined.pool.connect();
      await client.query(selectColour);
      await postgres.pool.query("alter table mugs alter colour type varchar(9)");
      const [, selected, ended] = await Promise.allSettled([
        client.query("begin"),
        client.query(selectColour),
        client.query("commit"),
      ]);
      expect(selected.status).toBe("rejected");
      expect(ended).toMatchObject({ value: { command: "ROLLBACK" } });
      expect((await client.query(selectColour)).rows).toEqual([{ colour: "blue" }]);
      client.release();
      await pipelined.stop();
    });
  });
});
