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

type Publish = Parameters<typeof startTally>[0]["publisher"]["publish"];

function startTallying(everyMs: number, publish: Publish) {
  return startTally({
    ...{ service: "test", pool: outbox.pool, exchange: "test", types: [], everyMs },
    publisher: { isUp: () => true, whenUp: async () => undefined, stop: async () => undefined, publish },
    isUp: () => true,
    logger: createLogger("test", "silent"),
  });
}

test("a tally that is being sent does not undo a request to tally again", async () => {
  const again = new Date(Date.now() - 60 * 60_000);
  const since: number[] = [];
  const tallying = startTallying(20, async ({ content }) => {
    since.push(Date.parse(JSON.parse(content.toString()).data.tally.since));
    // As `ops events republish` does it, while the broker confirms the first tally.
    if (since.length === 1) await tallyAgain(outbox.pool, again);
    return "confirmed";
  });
  await until("two tallies", () => since.length > 1);
  await tallying.stop();
  expect(since[1]).toBe(again.getTime());
});

test("a tally is sent by a run that comes a moment too early", async () => {
  // The next tally is due 100 ms later.
  await outbox.pool.query("update event_tally set tallied_until = now() - interval '1199.9 s'");
  let sent = 0;
  const tallying = startTallying(600_000, async () => {
    sent += 1;
    return "confirmed";
  });
  await until("a tally", () => sent > 0);
  await tallying.stop();
});
