// The content of tallies, and a simultaneous request to tally again.
import { randomUUID } from "node:crypto";
import { until } from "@tradepost/testing";
import { tallyAgain } from "../src/republish-events.ts";
import { decodeTally, startTally } from "../src/tally.ts";
import { endedAfterAll, logger, openOutbox } from "./support/open-servers.ts";

const { outbox } = await openOutbox(endedAfterAll());

/** Starts to send tallies of these types every 20 ms to `publish`, which confirms them. */
const startTallying = (types: string[], publish: (content: Buffer) => unknown) =>
  startTally({
    ...{ service: "test", pool: outbox.pool, exchange: "test", types, everyMs: 20, isUp: () => true },
    publisher: {
      isUp: () => true,
      whenUp: async () => undefined,
      stop: async () => undefined,
      publish: async ({ content }) => {
        await publish(content);
        return "confirmed";
      },
    },
    logger,
  });

test("a tally that is being sent does not undo a request to tally again", async () => {
  const again = new Date(Date.now() - 60 * 60_000);
  const since: number[] = [];
  const tallying = startTallying([], async (content) => {
    since.push(Date.parse(JSON.parse(content.toString()).data.tally.since));
    // As `ops events republish` does it, while the broker confirms the first tally.
    if (since.length === 1) await tallyAgain(outbox.pool, again);
  });
  await until("two tallies", () => since.length > 1);
  await tallying.stop();
  expect(since[1]).toBe(again.getTime());
});

test("a tally tells the time of the oldest event that is not published, a parked one too", async () => {
  const tallied: (string | null)[] = [];
  const tallying = startTallying(["redirect.added"], (content) =>
    tallied.push(decodeTally(content)?.unpublishedSince ?? null),
  );
  const event = (type: string) => ({ aggregateId: randomUUID(), number: 1, type });
  const [other, , parked] = await outbox.commit(
    ["order.placed", "redirect.added", "redirect.added"].map(event),
  );
  const age = "update outbox set occurred_at = $2, parked_at = $3 where event_id = $1";
  await outbox.pool.query(age, [other, "2026-01-01T00:00:00Z", null]);
  await outbox.pool.query(age, [parked, "2026-02-02T00:00:00Z", new Date()]);
  await until("its time", () => Date.parse(tallied.at(-1) ?? "") === Date.parse("2026-02-02T00:00:00Z"));
  await outbox.pool.query("delete from outbox");
  await until("none", () => tallied.at(-1) === null);
  await tallying.stop();
});
