// A connection that holds locks, so that a test decides who comes first.
import { until } from "@tradepost/testing";
import pg from "pg";

const WAITING = `
  select count(*)::int as count from pg_stat_activity
   where datname = current_database() and wait_event_type = 'Lock'`;

/** In: the database and the statement that takes the locks. Out: how to wait for those who wait, and to let them go. */
export async function holdLocks(databaseUrl: string, statement: string, values: unknown[] = []) {
  const holder = await connect(databaseUrl);
  // Within one transaction pg_stat_activity does not change.
  const observer = await connect(databaseUrl);
  await holder.query("begin");
  await holder.query(statement, values);
  return {
    /** Another statement in the transaction that holds the locks. */
    query: (text: string, more: unknown[] = []) => holder.query(text, more),
    waiters: (count: number) =>
      until(`${count} who wait for a lock`, async () => {
        const { rows } = await observer.query<{ count: number }>(WAITING);
        return (rows[0]?.count ?? 0) >= count;
      }),
    release: async () => {
      await holder.query("commit");
      await Promise.all([holder.end(), observer.end()]);
    },
  };
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl });
  // A test that fails drops the database under it.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}
