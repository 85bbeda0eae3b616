// A connection that holds locks, so that a test controls the order of concurrent requests.
import { until } from "@tradepost/testing";
import pg from "pg";

const WAITING = `
  select count(*)::int as count from pg_stat_activity
   where datname = current_database() and wait_event_type = 'Lock'`;

/** Begins a transaction with the statement, which takes the locks. */
export async function holdLocks(databaseUrl: string, statement: string, values: unknown[] = []) {
  const holder = await connect(databaseUrl);
  // A separate connection, because pg_stat_activity does not change within a transaction.
  const observer = await connect(databaseUrl);
  await holder.query("begin");
  await holder.query(statement, values);
  return {
    /** Runs another statement in the transaction that holds the locks. */
    query: (text: string, more: unknown[] = []) => holder.query(text, more),
    waiters: (count: number) =>
      until(`${count} connections to wait for a lock`, async () => {
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
  // A failed test drops the database while it is connected.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}
