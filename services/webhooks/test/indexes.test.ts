// Every foreign key has an index that begins with its columns. Without it, deleting a referenced row reads the whole table.
import { expect, test } from "@jest/globals";
import { createServiceDatabase } from "@tradepost/testing";
import pg from "pg";

const FOREIGN_KEYS = `
  select conrelid::regclass::text as "table", conname as name,
         exists (select from pg_index
                  where indrelid = conrelid and indpred is null
                    and (indkey::smallint[])[0:cardinality(conkey) - 1] @> conkey) as "hasIndex"
    from pg_constraint
   where contype = 'f' and connamespace = 'public'::regnamespace`;

test("every foreign key has an index that begins with its columns", async () => {
  const database = await createServiceDatabase("webhooks");
  const client = new pg.Client(database.url);
  await client.connect();
  const { rows } = await client.query<{ hasIndex: boolean }>(FOREIGN_KEYS);
  await client.end();
  await database.drop();
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ hasIndex }) => !hasIndex)).toEqual([]);
});
