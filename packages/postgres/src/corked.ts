// Sends several statements in one packet. On a pipelined connection each statement would otherwise be its own write to the
// socket, which costs more than the rest of a small statement.
import type { Writable } from "node:stream";
import type { PoolClient } from "pg";

/** Corks the client's socket while `send` sends statements without awaiting them. Returns what `send` returns. */
export function corked<Result>(client: PoolClient, send: () => Result): Result {
  // Not among pg's declared types.
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}
