// A test's pool may hear, after its end, that the database has been dropped.
import { expect, test } from "@jest/globals";
import { createTestDatabase, openTestPool, until } from "@tradepost/testing";

test("a session that the server terminates leaves the pool, and nothing is thrown", async () => {
  const database = await createTestDatabase();
  const pool = openTestPool(database.url, 1);
  await pool.query("select");
  expect(pool.totalCount).toBe(1);
  await database.drop();
  await until("an empty pool", () => pool.totalCount === 0);
  await pool.end();
});
