// A server that vanishes without closing its connections, as a machine without power does. Its successor has the same address.
import { inTransaction, isDatabaseUnavailable, withoutTimeouts } from "@tradepost/postgres";
import { startFaultProxy } from "@tradepost/testing";
import { sql } from "kysely";
import * as support from "./support/use-database.ts";

// A connection is ended after this time and 5 s without a response.
const STATEMENT_TIMEOUT_MS = 500;
const LONGER_SECONDS = 9;

const { failureOf, useDatabase } = support;
const database = await useDatabase();

describe("a server that vanishes", () => {
  async function connect(options: { pipeline?: boolean } = {}) {
    const proxy = await startFaultProxy(database.url);
    const timed = { connectionsMax: 3, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    const postgres = support.connect(proxy.url, { ...timed, ...options });
    const { pool } = postgres;
    return {
      ...postgres,
      proxy,
      /** Opens all connections of the pool. Returns the numbers of their server processes. */
      fill: async () => {
        const clients = await Promise.all(Array.from({ length: 3 }, () => pool.connect()));
        const results = await Promise.all(clients.map((client) => client.query(PID)));
        for (const client of clients) client.release();
        return results.map(({ rows }) => rows[0].pid);
      },
      stop: async () => {
        await postgres.stop();
        await proxy.stop();
      },
    };
  }
  const PID = "select pg_backend_pid() as pid";

  test.concurrent.each([false, true])(
    "fails its statements, and later ones reach the successor (pipelined: %p)",
    async (pipeline) => {
      const { pool, proxy, fill, stop } = await connect({ pipeline });
      const pids = await fill();
      proxy.strand();
      const client = await pool.connect();
      const failed = failureOf(client.query("select 1"));
      // Bytes that are sent do not count.
      const load = setInterval(() => void failureOf(client.query("select 2")), 100);
      const failure = await failed;
      clearInterval(load);
      client.release(failure as Error);
      expect(failure).toBeInstanceOf(Error);
      expect(isDatabaseUnavailable(failure)).toBe(true);
      // Not on one of the other connections to the server that vanished.
      for (const pid of await fill()) expect(pids).not.toContain(pid);
      expect(pool.totalCount).toBe(3);
      await stop();
    },
  );

  test.concurrent("fails a transaction", async () => {
    const { db, proxy, fill, stop } = await connect();
    await fill();
    const transaction = db.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx);
      proxy.strand();
      await sql`select 2`.execute(tx);
    });
    expect(isDatabaseUnavailable(await failureOf(transaction))).toBe(true);
    expect((await sql`select 3 as three`.execute(db)).rows).toEqual([{ three: 3 }]);
    await stop();
  });

  test.concurrent("differs from a connection without statements, also from one that has had none yet", async () => {
    const { pool, stop } = await connect();
    const [used, unused] = await Promise.all([pool.connect(), pool.connect()]);
    const { rows } = await used.query(PID);
    await new Promise((resolve) => setTimeout(resolve, LONGER_SECONDS * 1_000));
    expect((await used.query(PID)).rows).toEqual(rows);
    expect((await unused.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    for (const client of [used, unused]) client.release();
    await stop();
  });

  test.concurrent("differs from a statement without a timeout", async () => {
    const { pool, stop } = await connect();
    const slept = inTransaction(pool, (client) =>
      withoutTimeouts(client, () => client.query(`select 'slept' as slept from pg_sleep(${LONGER_SECONDS})`)),
    );
    expect((await slept).rows).toEqual([{ slept: "slept" }]);
    expect((await pool.query("show statement_timeout")).rows).toEqual([{ statement_timeout: "500ms" }]);
    await stop();
  });
});
