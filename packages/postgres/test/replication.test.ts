// Without synchronous standbys nothing waits for one, even if no connection is free to check for them (interface §21). With
// standbys: tests/recovery/isolated-primary.full.test.ts.
import { afterAll, expect, test } from "@jest/globals";
import { connectPostgres, isDatabaseUnavailable, type Postgres } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import { createTestDatabase } from "@tradepost/testing";

const { now } = performance;

const database = await createTestDatabase();
const logger = createLogger("test", "silent");
const postgres: Postgres<Record<string, never>> = connectPostgres({
  url: database.url,
  name: "test",
  connectionsMax: 1,
  logger,
});
afterAll(async () => {
  performance.now = now;
  await postgres.stop();
  await database.drop();
});

test("a database without standbys is waited for neither now nor, while its connections are taken, for 30 s", async () => {
  const afterSeconds = (seconds: number) => {
    performance.now = () => now.call(performance) + seconds * 1_000;
  };
  await postgres.replicated();
  const client = await postgres.pool.connect();
  afterSeconds(4);
  await postgres.replicated();
  afterSeconds(29);
  await postgres.replicated();
  afterSeconds(31);
  const error = await postgres.replicated().catch((reason: unknown) => reason);
  expect(isDatabaseUnavailable(error)).toBe(true);
  client.release();
  await postgres.replicated();
});
