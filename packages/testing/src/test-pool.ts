// A pool of connections to the database of a test.
import pg from "pg";

/**
 * Opens a pool of at most `max` connections, which the caller ends. A test drops its database as soon as the pool has ended, and the
 * server then terminates sessions that have not read the pool's goodbye yet. Without a listener, that would end the process.
 */
export function openTestPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max });
  pool.on("error", () => {});
  return pool;
}
