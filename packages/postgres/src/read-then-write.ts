// A transaction that reads, decides in the process, and writes, in two round trips. A pool that is not pipelined takes four.
import type { Pool, QueryConfig, QueryResult, QueryResultRow } from "pg";
import { corked } from "./corked.ts";

/**
 * Sends `begin` and `read` in one packet, then the statement that `write` makes of the rows and `commit` in another. Returns
 * the result of the second statement after the commit. On any error it closes the connection, which rolls back.
 */
export async function readThenWrite<Row extends QueryResultRow, Written extends QueryResultRow>(
  pool: Pool,
  read: QueryConfig,
  write: (rows: Row[]) => QueryConfig,
): Promise<QueryResult<Written>> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    const [, { rows }] = await corked(client, () =>
      Promise.all([client.query("begin"), client.query<Row>(read)]),
    );
    const statement = write(rows);
    // If the statement fails, Postgres rolls back at the commit.
    const [written] = await corked(client, () =>
      Promise.all([client.query<Written>(statement), client.query("commit")]),
    );
    return written;
  } catch (error) {
    failure = Error.isError(error) ? error : new Error(String(error));
    throw failure;
  } finally {
    client.release(failure);
  }
}
