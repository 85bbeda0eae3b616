import { hasFixedColumns } from "./statement-names.ts";

describe("the columns of a statement's result", () => {
  test.each([
    "select a, b from t where c = $1",
    'select "a", count(*) from "t" where "c" = $1',
    "select 2 * price, (a + b) * c from t where d = $1",
    "select a from (select * from t) s where a = $1 for update",
    "with s as (select * from t) select a from s where a = $1",
    "with gone as (delete from t where id = $1 returning *) select id from gone",
    "insert into t (a, b) select * from unnest($1::int[], $2::int[])",
    "with gone as (delete from t where id = $1 returning *) insert into log select * from gone",
    "update t set a = $1 where b in (select * from u)",
    "insert into t (a) values ($1) returning id, a",
    "select ' (, * ' || $1 -- a comment's (, *\n from t",
    "/* select * */ select a from t where b = $1",
  ])("are fixed: %s", (text) => {
    expect(hasFixedColumns(text)).toBe(true);
  });

  test.each([
    "select * from t where a = $1",
    "SELECT  * FROM t WHERE a = $1",
    "select t.* from t where a = $1 for update",
    'select "t".* from "t" where a = $1',
    "select a, * from t where a = $1",
    "select distinct * from t where a = $1",
    "select distinct on (a) * from t where a = $1",
    "select a from u where a = $1 union all select * from t",
    "with s as (select * from t where a = $1) select * from s",
    "update t set a = $1 returning *",
    'insert into "t" ("a") values ($1) returning *',
    "delete from t where a = $1 returning t.*",
    "values ($1)",
    "select a from t where b = ')' and (a = $1",
    "table t",
  ])("may change: %s", (text) => {
    expect(hasFixedColumns(text)).toBe(false);
  });
});
