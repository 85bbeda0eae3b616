import type { PoolClient } from "pg";

/**
 * Returns a client to its pool. If a commit was cancelled, the connection is still in the transaction and would refuse the next
 * user's statements, so it is closed.
 */
export function releaseClient(client: PoolClient): void {
  client.release(client.getTransactionStatus() !== "I");
}
