// Without synchronous standbys nothing waits for one, even if no connection is free to check for them (interface §21). With
// standbys: tests/recovery/isolated-primary.full.test.ts.
import { isDatabaseUnavailable } from "@tradepost/postgres";
import { connect, useDatabase } from "./support/use-database.ts";

const { now } = performance;

const { url, atEnd } = await useDatabase();
const postgres = connect(url);
atEnd(postgres.stop);
afterEach(() => {
  performance.now = now;
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
