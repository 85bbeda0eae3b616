import type { PoolClient } from "pg";

/**
 * Runs SQL written by hand in one transaction, and returns the result of `work` after the commit. On any error it closes the
 * connection, which rolls back and releases all locks, and throws the error.
 */
export async function inTransaction<Result>(
  pool: { connect(): Promise<PoolClient> },
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    failure = Error.isError(error) ? error : new Error(String(error));
    throw failure;
  } finally {
    client.release(failure);
  }
}
