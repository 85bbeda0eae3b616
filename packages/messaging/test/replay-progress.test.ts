// Where a replay begins and how it advances: it waits for relays between confirm and commit, passes no event that was not
// confirmed, and reads no more of a large table than it publishes.
import { randomUUID } from "node:crypto";
import { countRetained, EVENTS_EXCHANGE, republishEvents, startPublisher } from "@tradepost/messaging";
import { until } from "@tradepost/testing";
import { logger, openRelay, testWith } from "./support/open-servers.ts";
import { insertPublished } from "./support/outbox-table.ts";

type Republishing = Parameters<typeof republishEvents>[0];

const AT = (newest: Date) => `timestamptz '${newest.toISOString()}' - n * interval '5 seconds'`;

// The tests run at the same time, because they mostly wait.
const test = testWith(setUp);

describe("a replay", () => {
  test("waits for a relay that has a confirm and has not committed yet", async (fixture) => {
    const { outbox, relay, untilReplayed, arrivedIds } = fixture;
    const others = await insertPublished(outbox.pool, 10, AT(new Date(Date.now() - 60_000)));
    // Like a relay between the broker's confirm and its commit.
    const client = await outbox.lockShards([2]);
    using _released = { [Symbol.dispose]: () => client.release(true) };
    const [id = ""] = await insertPublished(client, 1, AT(new Date()));
    await outbox.requestReplay();
    relay.wake();
    const waits = `select from pg_locks join pg_database on pg_database.oid = pg_locks.database
      where locktype = 'advisory' and not granted and datname = current_database()`;
    await until(
      "the replay to wait for the shard, or to end without it",
      async () => (await outbox.finds(waits)) || !(await outbox.isReplaying()),
    );
    await client.query("commit");
    await untilReplayed();
    await until("the other events", () => others.every((one) => arrivedIds().has(one)));
    expect(arrivedIds().has(id)).toBe(true);
  });

  test("locks the shards once, so that new events are published while it runs", async (fixture) => {
    const { outbox, relay, arrived } = fixture;
    await insertPublished(outbox.pool, 2_000, AT(new Date()));
    await outbox.requestReplay();
    relay.wake();
    await until("the replay to run", () => arrived.length > 0);
    const client = await outbox.lockShards();
    using _released = { [Symbol.dispose]: () => client.release(true) };
    const before = arrived.length;
    await until("several batches more", () => arrived.length > before + 300);
    await client.query("rollback");
  });

  test("passes no event that the broker did not confirm", async (fixture) => {
    const { proxy, outbox, relay, untilReplayed, arrivedIds } = fixture;
    const ids = await insertPublished(outbox.pool, 300, AT(new Date()));
    proxy.blackhole();
    await outbox.requestReplay();
    relay.wake();
    await until("a batch in flight", async () => {
      const begun = "select from replay where begun_until = until";
      const free = await outbox.pool.query(`${begun} for no key update skip locked`);
      return (await outbox.pool.query(begun)).rowCount === 1 && free.rowCount === 0;
    });
    // The batch is lost with the reset connection.
    await proxy.restore();
    await untilReplayed();
    await until("the last event", () => arrivedIds().has(ids.at(-1) ?? ""));
    expect(ids.filter((id) => !arrivedIds().has(id))).toEqual([]);
  });

  test("reads no more of a large table than it publishes", async ({ outbox, relay, arrived, arrivedIds }) => {
    const total = 100_000;
    const newest = new Date();
    for (let day = 0; day <= 6; day += 1) {
      const from = new Date(newest.getTime() - day * 86_400_000).toISOString().slice(0, 10);
      const name = `published_events_${from.replaceAll("-", "")}`;
      // The relay creates the partitions of today and the next days.
      await outbox.pool.query(
        `create table if not exists ${name} partition of published_events
           for values from ('${from} 00:00:00Z') to (timestamptz '${from} 00:00:00Z' + interval '24 hours')`,
      );
    }
    const ids = await insertPublished(outbox.pool, total, AT(newest));
    await outbox.requestReplay();
    relay.wake();
    await until("some of them", () => arrived.length >= 1_500);
    await relay.stop();
    const published = arrived.length;
    const { rows } = await outbox.pool.query<{ read: string; scanned: string }>(
      `select sum(idx_tup_read)::text as read,
              (select sum(seq_tup_read)::text from pg_stat_user_tables where relname like 'published_events%') as scanned
         from pg_stat_user_indexes where relname like 'published_events%'`,
    );
    // Each batch reads a few rows of each partition; one batch was in flight at the stop.
    expect(Number(rows[0]?.read)).toBeLessThan(2 * published + 1_000);
    expect(Number(rows[0]?.read)).toBeGreaterThanOrEqual(published);
    // Creating the partitions scanned empty tables.
    expect(Number(rows[0]?.scanned)).toBeLessThan(1_000);
    // The newest come first.
    expect([...arrivedIds()].every((id) => ids.indexOf(id) < published + 100)).toBe(true);
  });
});

describe("events that an operator has published again", () => {
  test("all arrive, in order, although the run is ended and the broker does not respond for a while", async (fixture) => {
    const { proxy, outbox, arrived, arrivedIds, republishing } = fixture;
    const newest = new Date();
    // Oldest first, as they are sent.
    const ids = (await insertPublished(outbox.pool, 250, AT(newest))).toReversed();
    const wanted = { since: new Date(0), until: newest };

    // Nothing is confirmed: the republication gives up, and has passed no event.
    proxy.blackhole("responses");
    const refused = await republishing({ wanted, giveUpAfterMs: 1 });
    expect(refused).toEqual({ republished: 0, continueAt: expect.any(Date), refusedAs: "unavailable" });
    const { rows } = await outbox.pool.query<{ oldest: Date }>(
      "select min(published_at) as oldest from published_events",
    );
    expect(refused.continueAt).toEqual(rows[0]?.oldest);
    await proxy.restore();

    const stopping = new AbortController();
    const ended = await republishing({ wanted, signal: stopping.signal, onProgress: () => stopping.abort() });
    expect(ended).toEqual({ republished: 100, continueAt: expect.any(Date), refusedAs: null });
    await until("the first 100", () => arrivedIds().has(ids[99] ?? ""));
    arrived.length = 0;
    const since = ended.continueAt ?? new Date(0);
    expect(await republishing({ wanted: { since, until: newest } })).toEqual({
      ...{ republished: 150, continueAt: null, refusedAs: null },
    });
    await until("the rest", () => arrivedIds().has(ids.at(-1) ?? ""));
    expect(arrived.map(({ properties }) => properties.messageId)).toEqual(ids.slice(100));

    const counts = { republished: 249, continueAt: null, refusedAs: null };
    await outbox.pool.query("update published_events set type = 'order.updated' where event_id = $1", [
      ids[7],
    ]);
    expect(await republishing({ wanted, feedOnlyTypes: ["order.updated"] })).toEqual(counts);
    expect(await countRetained(outbox.pool, wanted, ["order.updated"])).toBe(249);
  });
});

/** A relay with its own database and broker, whose first replay is over. */
async function setUp(ended: AsyncDisposableStack) {
  const { proxy, outbox, arrived, relay, ...opened } = await openRelay(ended, {}, ["#", "all"]);
  const arrivedIds = () => new Set(opened.arrivedIds());
  const { untilReplayed } = outbox;
  const publisher = startPublisher({
    ...{ url: proxy.url, name: "test", logger, confirmTimeoutMs: 300 },
    declare: async () => {},
  });
  ended.defer(publisher.stop);
  const republishing = async (
    options: Pick<Republishing, "wanted" | "signal" | "onProgress" | "giveUpAfterMs"> &
      Partial<Pick<Republishing, "feedOnlyTypes">>,
  ) => {
    await publisher.whenUp();
    return await republishEvents({
      ...{ pool: outbox.pool, publisher, exchange: EVENTS_EXCHANGE, mustRoute: () => true },
      ...{ feedOnlyTypes: [], perSecond: 2_000, logger },
      ...options,
    });
  };

  // The relay's queue is new, so it replays at first. That is over once this event has arrived twice.
  const [first] = await outbox.commit([{ aggregateId: randomUUID(), number: 1 }]);
  await until("the first event again", async () => {
    const times = opened.arrivedIds().filter((id) => id === first).length;
    if (times === 1 && !(await outbox.isReplaying())) await outbox.requestReplay();
    return times >= 2;
  });
  await untilReplayed();
  await outbox.pool.query("delete from published_events");
  arrived.length = 0;
  return { proxy, outbox, relay, arrived, untilReplayed, arrivedIds, republishing };
}
