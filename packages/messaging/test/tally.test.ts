// A tally and a request to tally again, at the same time.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createLogger } from "@tradepost/runtime";
import { createTestDatabase, type TestDatabase, until } from "@tradepost/testing";
import { tallyAgain } from "../src/republish-events.ts";
import { startTally } from "../src/tally.ts";
import { createOutbox, type Outbox } from "./support/outbox-table.ts";

let database: TestDatabase;
let outbox: Outbox;

beforeAll(async () => {
  database = await createTestDatabase();
  outbox = await createOutbox(database.url);
});

afterAll(async () => {
  await outbox.close();
  await database.drop();
});

test("a tally that is being sent does not undo a request to tally again", async () => {
  const again = new Date(Date.now() - 60 * 60_000);
  const since: number[] = [];
  const tallying = startTally({
    ...{ service: "test", pool: outbox.pool, exchange: "test", types: [], everyMs: 20 },
    publisher: {
      isUp: () => true,
      whenUp: async () => undefined,
      stop: async () => undefined,
      publish: async ({ content }) => {
        since.push(Date.parse(JSON.parse(content.toString()).data.tally.since));
        // As `ops events republish` does it, while the broker confirms the first tally.
        if (since.length === 1) await tallyAgain(outbox.pool, again);
        return "confirmed";
      },
    },
    isUp: () => true,
    logger: createLogger("test", "silent"),
  });
  await until("two tallies", () => since.length > 1);
  await tallying.stop();
  expect(since[1]).toBe(again.getTime());
});
