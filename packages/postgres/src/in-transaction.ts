// Runs hand-written SQL in one transaction on one connection of the pool.
import type { PoolClient } from "pg";

/**
 * In: the pool and the work. Out: what the work resolves with, after the commit. Where anything fails, the connection
 * is closed, which rolls back and frees every lock, and the error is thrown.
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
