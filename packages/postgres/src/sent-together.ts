// Several statements in one packet: on a pipelined connection each would otherwise be a write to the socket of its own, and
// a write costs more than everything else about a small statement.
import type { Writable } from "node:stream";
import type { PoolClient } from "pg";

/** In: a pipelined connection, and what sends statements on it without waiting. Out: what that gives back. */
export function sentTogether<Result>(client: PoolClient, send: () => Result): Result {
  // Not among pg's declared types.
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}
