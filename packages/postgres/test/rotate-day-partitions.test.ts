// The functions of `sql/day-partitions.sql`, which the services' migrations include, called by a role that owns no table.
import { readFile } from "node:fs/promises";
import { rotateDayPartitions } from "@tradepost/postgres";
import { until } from "@tradepost/testing";
import { connect, useDatabase } from "./support/use-database.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const TYPES = ["timestamptz", "date", "uuid"] as const;
type KeyType = (typeof TYPES)[number];

const FUNCTIONS = new URL("../sql/day-partitions.sql", import.meta.url);

const { url, owner, atEnd } = await useDatabase();
const { pool: admin } = owner;
const maintainer = `maintainer_${Date.now()}`;
await admin.query(`create role ${maintainer}; grant ${maintainer} to current_user`);
atEnd(() => admin.query(`drop owned by ${maintainer}; drop role ${maintainer}`));
await admin.query(await readFile(FUNCTIONS, "utf8"));
await admin.query(`
  grant execute on function make_day, drop_day to ${maintainer};
  insert into day_tables select 'by_' || type, 'key', type, 1 from unnest('{${TYPES}}'::text[]) type`);
const postgres = connect(url, { role: maintainer, connectionsMax: 10 });
atEnd(postgres.stop);

describe("a table partitioned by day", () => {
  let today: number;
  const of = (type: KeyType) => `by_${type}`;
  const query = (text: string) => admin.query(text);
  const column = async (text: string): Promise<string[]> =>
    (await admin.query({ text, rowMode: "array" })).rows.flat();
  const day = (offset: number) => new Date(today + offset * DAY_MS);
  const nameOf = (offset: number) => day(offset).toISOString().slice(0, 10).replaceAll("-", "");

  beforeEach(async () => {
    const [now] = await column("select (now() at time zone 'utc')::date::text");
    today = Date.parse(`${now}T00:00:00Z`);
    for (const type of TYPES) {
      await query(`
        drop table if exists by_${type} cascade;
        create table by_${type} (key ${type} not null, note text not null default 'none' check (note <> ''),
                                 primary key (key, note)) partition by range (key);
        create table by_${type}_other partition of by_${type} default`);
    }
  });

  /** The key of a time as SQL. A UUID is the first or the last of its millisecond. */
  const key = (type: KeyType, at: number, isLast = false) => {
    const time = new Date(at).toISOString();
    if (type !== "uuid") return `'${type === "date" ? time.slice(0, 10) : time}'`;
    const hex = at.toString(16).padStart(12, "0");
    const rest = isLast ? "7fff-bfff-ffffffffffff" : "7000-8000-000000000000";
    return `'${hex.slice(0, 8)}-${hex.slice(8)}-${rest}'`;
  };
  const insert = (type: KeyType, offset: number, note: string) =>
    query(`insert into by_${type} values (${key(type, day(offset).getTime())}, '${note}'),
             (${key(type, day(offset + 1).getTime() - 1, true)}, '${note}, its end')`);
  /** The notes of the rows that `insert` has written for these days. */
  const notesOf = (...offsets: number[]) =>
    offsets.flatMap((offset) => [`day ${offset}`, `day ${offset}, its end`]);
  const notesIn = (table: string) => column(`select note from ${table} order by key, note`);
  const partitionsOf = async (type: KeyType) => {
    const children = "select inhrelid::regclass::text from pg_inherits where inhparent =";
    const names = await column(`${children} 'by_${type}'::regclass order by 1`);
    return names.map((name) => name.slice(`by_${type}_`.length));
  };
  /** Creates the partition that rotateDayPartitions would have created on that day. */
  const makeDay = (type: KeyType, offset: number) =>
    query(`create table by_${type}_${nameOf(offset)} partition of by_${type}
             for values from (${bound(type, offset)}) to (${bound(type, offset + 1)})`);
  const bound = (type: KeyType, offset: number) =>
    key(type, day(offset).getTime()).replace("-7000-8000-", "-0000-0000-");
  const ahead = () => [0, 1, 2, 3].map(nameOf);

  test("does not drop a day with more than 10,000 rows that are still needed", async () => {
    await makeDay("uuid", -40);
    const first = bound("uuid", -40).slice(1, 14);
    await query(`insert into by_uuid
      select ('${first}' || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'row ' || n from generate_series(1, 10001) n`);
    await query("create view by_uuid_still_needed as select key, note from by_uuid");
    expect(await rotateDayPartitions(postgres.pool, of("uuid"), 30)).toEqual([]);
    expect(await partitionsOf("uuid")).toContain(nameOf(-40));
    expect(await notesIn("by_uuid")).toHaveLength(10_001);
    await query(
      "create or replace view by_uuid_still_needed as select key, note from by_uuid where note <> 'row 7'",
    );
    expect(await rotateDayPartitions(postgres.pool, of("uuid"), 30)).toEqual([`by_uuid_${nameOf(-40)}`]);
    expect(await notesIn("by_uuid_other")).toHaveLength(10_000);
  });

  test("stops while it searches for rows that are still needed, and does not drop the day", async () => {
    await makeDay("uuid", -40);
    await insert("uuid", -40, "row");
    const stopping = new AbortController();
    await query("create view by_uuid_still_needed as select key from by_uuid, pg_sleep(300)");
    const rotating = rotateDayPartitions(postgres.pool, of("uuid"), 30, stopping.signal);
    const sleepers = "from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";
    await until("the search", async () => (await column(`select pid ${sleepers}`)).length > 0);
    stopping.abort();
    await expect(rotating).rejects.toThrow();
    expect(await partitionsOf("uuid")).toContain(nameOf(-40));
    await query(`select pg_terminate_backend(pid) ${sleepers}`);
  });

  describe.each(TYPES)("by a %s", (type) => {
    test("has partitions of today and the next three days, with their rows from the default partition", async () => {
      for (const offset of [-1, 0, 3, 4]) await insert(type, offset, `day ${offset}`);
      expect(await rotateDayPartitions(postgres.pool, of(type), 30)).toEqual([]);
      expect(await partitionsOf(type)).toEqual([...ahead(), "other"]);
      for (const offset of [0, 3])
        expect(await notesIn(`by_${type}_${nameOf(offset)}`)).toEqual(notesOf(offset));
      expect(await notesIn(`by_${type}_other`)).toEqual(notesOf(-1, 4));
    });

    test("drops exactly the days that are too old, and no row of a younger day", async () => {
      for (const offset of [-40, -2, -1]) await makeDay(type, offset);
      for (const offset of [-40, -2, -1, 0]) await insert(type, offset, `day ${offset}`);
      const dropped = await rotateDayPartitions(postgres.pool, of(type), 1);
      expect(dropped).toEqual([`by_${type}_${nameOf(-40)}`, `by_${type}_${nameOf(-2)}`]);
      expect(await partitionsOf(type)).toEqual([nameOf(-1), ...ahead(), "other"]);
      expect(await notesIn(`by_${type}`)).toEqual(notesOf(-1, 0));
      expect(await rotateDayPartitions(postgres.pool, of(type), 1)).toEqual([]);
    });

    test("moves rows that are still needed to the default partition", async () => {
      await makeDay(type, -5);
      await insert(type, -5, "old");
      await query(`create view by_${type}_still_needed as select key from by_${type} where note = 'old'`);
      await rotateDayPartitions(postgres.pool, of(type), 4);
      // Rows are selected by key, which all rows of a date share.
      const kept = type === "date" ? ["old", "old, its end"] : ["old"];
      expect(await notesIn(`by_${type}`)).toEqual(kept);
      expect(await notesIn(`by_${type}_other`)).toEqual(kept);
    });
  });

  test("has the keys and checks of the table in each partition", async () => {
    await rotateDayPartitions(postgres.pool, of("date"), 30);
    const insertTwice = `insert into by_date values ('${day(0).toISOString().slice(0, 10)}', 'twice')`;
    await query(insertTwice);
    await expect(query(insertTwice)).rejects.toThrow("duplicate key");
    await expect(query(insertTwice.replace("twice", ""))).rejects.toThrow("violates check constraint");
  });

  test("ignores partitions that are not named like a day", async () => {
    await query(`create table by_date_2001 partition of by_date for values from ('2001-01-01') to ('2002-01-01');
                 insert into by_date values ('2001-05-05', 'kept')`);
    expect(await rotateDayPartitions(postgres.pool, of("date"), 1)).toEqual([]);
    expect(await notesIn("by_date")).toEqual(["kept"]);
  });

  test("can be maintained by several replicas at once while rows are inserted", async () => {
    for (const offset of [-5, -4, -3]) await makeDay("timestamptz", offset);
    await query(
      "create view by_timestamptz_still_needed as select key from by_timestamptz where note = 'survives'",
    );
    await insert("timestamptz", -4, "survives");
    await insert("timestamptz", -3, "goes");
    let isMaintaining = true;
    let written = 0;
    const writing = (async () => {
      for (; isMaintaining; written += 1) {
        await query(
          `insert into by_timestamptz values ('${day(written % 4).toISOString()}', 'row ${written}')`,
        );
      }
    })();
    const runs = Array.from({ length: 6 }, () => rotateDayPartitions(postgres.pool, of("timestamptz"), 2));
    await Promise.all(runs);
    isMaintaining = false;
    await writing;
    expect(await partitionsOf("timestamptz")).toEqual([...ahead(), "other"]);
    expect(await notesIn("by_timestamptz_other")).toEqual(["survives"]);
    expect(await notesIn("by_timestamptz")).toHaveLength(written + 1);
  });

  test("stays unchanged if a lock is not granted, and the next run drops the day", async () => {
    await makeDay("date", -5);
    await insert("date", -5, "old");
    await insert("date", 0, "new");
    const before = await partitionsOf("date");
    const reader = await admin.connect();
    try {
      await reader.query("begin; lock table by_date in access share mode");
      await expect(rotateDayPartitions(postgres.pool, of("date"), 1)).rejects.toThrow("lock timeout");
      expect(await partitionsOf("date")).toEqual(before);
      expect(await notesIn("by_date")).toHaveLength(4);
    } finally {
      await reader.query("rollback");
      reader.release();
    }
    expect(await rotateDayPartitions(postgres.pool, of("date"), 1)).toEqual([`by_date_${nameOf(-5)}`]);
    expect(await notesIn("by_date")).toEqual(["new", "new, its end"]);
  });

  test("loses no row if a run fails halfway, and the next run finishes the work", async () => {
    await rotateDayPartitions(postgres.pool, of("date"), 30);
    for (const offset of [-6, -5]) await makeDay("date", offset);
    for (const offset of [-6, -5]) await insert("date", offset, `day ${offset}`);
    // Dropping the second day fails after the first day is dropped: its rows violate a check of the default partition.
    await query(`create view by_date_still_needed as select key from by_date;
                 alter table by_date_other add constraint too_new check (note not like 'day -5%')`);
    await expect(rotateDayPartitions(postgres.pool, of("date"), 1)).rejects.toThrow("check constraint");
    expect(await partitionsOf("date")).toEqual([nameOf(-5), ...ahead(), "other"]);
    expect(await notesIn("by_date")).toEqual(notesOf(-6, -5));
    await query("alter table by_date_other drop constraint too_new; drop view by_date_still_needed");
    expect(await rotateDayPartitions(postgres.pool, of("date"), 1)).toEqual([`by_date_${nameOf(-5)}`]);
    expect(await notesIn("by_date")).toEqual(notesOf(-6));
  });

  describe("the role that maintains it", () => {
    const asRole = (text: string) => postgres.pool.query(text);

    test.each([
      ["create a partition far ahead", () => `select make_day('by_date', '${iso(30)}')`],
      ["create a partition of a past day", () => `select make_day('by_date', '${iso(-30)}')`],
      ["drop today", () => `select drop_day('by_date', '${iso(0)}')`],
      ["drop yesterday", () => `select drop_day('by_date', '${iso(-1)}')`],
      [
        "create a partition of a table that is not in day_tables",
        () => `select make_day('day_tables', '${iso(0)}')`,
      ],
      ["drop a partition that is not of a day", () => `select drop_day('by_date_2001', '${iso(-9)}')`],
      ["inject a statement as a table name", () => `select make_day('x; drop table by_date', '${iso(0)}')`],
      ["add a row to day_tables", () => "insert into day_tables values ('x', 'key', 'date', 1)"],
      ["drop a partition", () => `drop table by_date_${nameOf(-2)}`],
      ["detach a partition", () => `alter table by_date detach partition by_date_${nameOf(-2)}`],
      ["read the rows", () => "select * from by_date"],
      ["create a table", () => "create table mine (id int)"],
    ])("cannot %s", async (_what, statement) => {
      await rotateDayPartitions(postgres.pool, of("date"), 30);
      for (const offset of [-2, -1]) await makeDay("date", offset);
      await expect(asRole(statement())).rejects.toThrow();
      expect(await partitionsOf("date")).toEqual([nameOf(-2), nameOf(-1), ...ahead(), "other"]);
    });

    test("cannot make the functions use its own tables", async () => {
      await query(
        `grant create on schema public to ${maintainer}; create schema maintainer authorization ${maintainer}`,
      );
      try {
        await asRole("create table maintainer.day_tables (like public.day_tables)").catch(() => undefined);
        const client = await postgres.pool.connect();
        await client.query("set search_path = maintainer, public");
        await expect(client.query(`select make_day('pg_class', '${iso(0)}')`)).rejects.toThrow();
        client.release(true);
      } finally {
        await query(`drop schema maintainer cascade; revoke create on schema public from ${maintainer}`);
      }
    });
  });

  const iso = (offset: number) => day(offset).toISOString().slice(0, 10);
});
