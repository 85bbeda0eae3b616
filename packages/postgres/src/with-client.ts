// Runs SQL written by hand that needs one connection for several statements.
import type { Pool, PoolClient, QueryResult, QueryResultRow } from "pg";
import { type Statement, sessionOf } from "./session.ts";

/** Runs `work` with a client. If it rejects, the connection is closed, which rolls back and releases all locks. */
export async function withClient<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  return await closedOnFailure(await pool.connect(), work);
}

/** Returns the result of `work` after the commit. Any error closes the connection, which rolls back and releases all locks. */
export async function inTransaction<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  return await transactionOn(await pool.connect(), work);
}

interface Client {
  query(text: string): Promise<unknown>;
  release(failure?: Error): void;
}

/** `inTransaction` with a client that is already connected. Releases it. */
export async function transactionOn<Connected extends Client, Result>(
  connected: Connected,
  work: (client: Connected) => Promise<Result>,
): Promise<Result> {
  return await closedOnFailure(connected, async (client) => {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  });
}

/**
 * Runs the statements in order, each with its own snapshot, in one round trip, all of them prepared. The pool, or the client's
 * pool, must come from `connectPostgres` without `pipeline`.
 * @throws the error of the first statement that fails; later ones do not run. The connection must then be closed: a client's by the
 * caller, a pool's is closed already.
 */
export async function queryTogether(
  on: Pool | PoolClient,
  statements: readonly Statement[],
): Promise<QueryResult[]> {
  if ("release" in on) return await sessionOf(on).queryTogether(statements);
  return await withClient(on, (client) => queryTogether(client, statements));
}

/**
 * Reads, decides in the process and writes, in two round trips: the first packet has `begin` and `read`, the second the statement that
 * `write` returns for the rows, and `commit`. Returns the rows of the second statement after the commit. Takes an id first (`TAKE_ID`). The
 * pool must not be pipelined.
 * @throws the first error, including one of `write`. The connection is then closed, which rolls back.
 */
export async function readThenWrite<Row extends QueryResultRow, Written extends QueryResultRow>(
  pool: Pool,
  read: Statement,
  write: (rows: Row[]) => Statement,
): Promise<Written[]> {
  return await withClient(pool, async (client) => {
    const [, , found] = await queryTogether(client, [{ text: "begin" }, TAKE_ID, read]);
    const [written] = await queryTogether(client, [write((found?.rows ?? []) as Row[]), { text: "commit" }]);
    return (written?.rows ?? []) as Written[];
  });
}

/** Gives the transaction its id before it reads, so that a transaction with a later id can wait for it (`pg_snapshot_xmin`). */
export const TAKE_ID: Statement = { text: "select pg_current_xact_id()" };

async function closedOnFailure<Connected extends Pick<Client, "release">, Result>(
  client: Connected,
  work: (client: Connected) => Promise<Result>,
): Promise<Result> {
  let failure: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    failure = Error.isError(error) ? error : new Error(String(error));
    throw failure;
  } finally {
    client.release(failure);
  }
}
