// A transaction that reads, decides in the process, and writes, in two round trips.
import type { Pool, QueryResultRow } from "pg";
import { queryTogether, type Statement } from "./query-together.ts";

const BEGIN = { text: "begin" };
const COMMIT = { text: "commit" };

/**
 * Sends `begin` and `read` in one packet, then the statement that `write` makes of the rows and `commit` in another. Returns
 * the rows of the second statement after the commit. The pool must not be pipelined.
 *
 * @throws the first error, also one of `write`. Then the connection is closed, which rolls back.
 */
export async function readThenWrite<Row extends QueryResultRow, Written extends QueryResultRow>(
  pool: Pool,
  read: Statement,
  write: (rows: Row[]) => Statement,
): Promise<Written[]> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    const [, found] = await queryTogether(client, [BEGIN, read]);
    const [written] = await queryTogether(client, [write((found?.rows ?? []) as Row[]), COMMIT]);
    return (written?.rows ?? []) as Written[];
  } catch (error) {
    failure = Error.isError(error) ? error : new Error(String(error));
    throw failure;
  } finally {
    client.release(failure);
  }
}
