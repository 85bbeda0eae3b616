// After the broker has lost confirmed events, all retained events are published again: newest first, alongside new events, in any
// time zone, once per request.
import { randomUUID } from "node:crypto";
import {
  declareParkingQueue,
  declareSubscribedQueue,
  EVENTS_EXCHANGE,
  type Relay,
} from "@tradepost/messaging";
import { createTestBroker, until } from "@tradepost/testing";
import { openConsumer, openOneRelay, openOutbox, openRawBroker, testWith } from "./support/open-servers.ts";
import { insertPublished } from "./support/outbox-table.ts";

const QUEUE = "test.events";
const EVENTS = 320;

// The tests run at the same time, because they mostly wait.
const test = testWith(setUp);

describe("a replay", () => {
  test("publishes the events that a wiped broker lost, then new ones; types of the feed only stay in the feed", async (fixture) => {
    const { outbox, consume, commit, lose, untilReplayed } = fixture;
    const feedOnly = { aggregateId: randomUUID(), number: 1, type: "order.updated" };
    let hidden: string[] = [];
    const committing = async () => {
      hidden = await outbox.commit([feedOnly]);
      return await commit();
    };
    const { first, ids: lost } = await lose(committing, { feedOnlyTypes: ["order.updated"] });
    const fresh = await commit(10);
    const second = consume();
    await until("everything", () => new Set([...second.ids]).size === lost.length + fresh.length);
    await untilReplayed();
    expect(new Set(second.ids)).toEqual(new Set([...lost, ...fresh]));
    const replayed = new Set(second.replayed);
    expect(lost.filter((id) => !replayed.has(id))).toEqual([]);
    expect([...first.ids, ...second.ids]).not.toContain(hidden[0]);
  });

  test("is requested by a consumer whose queue was deleted", async (fixture) => {
    const { broker, relay, consume, commit, untilPublished, untilReplayed } = fixture;
    const first = consume();
    relay();
    await first.whenUp();
    await first.stop();
    const lost = await commit();
    await untilPublished();
    await broker.manage("DELETE", `/queues/${QUEUE}`);
    const second = consume();
    await until("everything", () => new Set(second.ids).size === lost.length);
    await untilReplayed();
  });

  test("continues after a crash where it stopped, and only one of several relays works on it", async (fixture) => {
    const { outbox, relay, commit, settled, untilReplayed } = fixture;
    const { again } = await settled(commit);
    await outbox.pool.query(
      `insert into replay (until, begun_until, batch_events, before_published_at, before_id)
       select now(), now(), 10, published_at, id from published_events
        order by published_events.published_at desc, id desc offset 99 limit 1`,
    );
    const { rows } = await outbox.pool.query<{ event_id: string }>(
      `select event_id from published_events order by published_events.published_at desc, id desc offset 100`,
    );
    for (const one of [relay(), relay()]) one.wake();
    await untilReplayed();
    await until("the rest again", () => again().length >= rows.length);
    expect(again().sort()).toEqual(rows.map(({ event_id }) => event_id).sort());
  });

  test("waits for a queue without repeating events that need no queue", async (fixture) => {
    const { broker, outbox, consume, lose, untilReplayed } = fixture;
    const aggregateId = randomUUID();
    const events = Array.from({ length: 50 }, (_, number) => ({
      aggregateId: number % 2 ? randomUUID() : aggregateId,
      number,
      type: number % 2 ? "email.send" : "order.placed",
    }));
    await lose(() => outbox.commit(events));
    const raw = await openRawBroker(broker.amqpUrl);
    const emails = await raw.capture(EVENTS_EXCHANGE, "email.#", "all");
    await until("the replay to wait", () => emails.length >= 25);
    const second = consume();
    await until("everything", () => new Set(second.ids).size === 50);
    await untilReplayed();
    expect(emails.length).toBeLessThanOrEqual(3 * 25);
    await raw.close();
  });

  test("does not happen when a relay restarts on the same broker", async (fixture) => {
    const { outbox, relay, commit, settled } = fixture;
    const { first, again } = await settled(() => commit(20));
    await first.stop();
    const after = relay();
    const [last] = await outbox.commit([{ aggregateId: randomUUID(), number: 1 }]);
    after.wake();
    await until("one more", () => again().length > 0);
    expect(await outbox.isReplaying()).toBe(false);
    expect(again()).toEqual([last]);
  });

  test("covers the repeated hour at the end of summer time, newest first", async (fixture) => {
    const { outbox, relay, settled, untilReplayed, databaseName } = fixture;
    const { first, again } = await settled();
    await first.stop();
    await outbox.pool.query(`alter database ${databaseName()} set timezone = 'Europe/Berlin'`);
    // From 01:00 to 03:00 local time takes three hours. Seven events share each time.
    const at = "timestamptz '2026-10-24 23:00:00+00' + (n / 7) * interval '100 seconds'";
    await insertPublished(outbox.pool, 750, at, "case when n % 2 = 0 then 2 end");
    const { rows } = await outbox.pool.query<{ event_id: string }>(
      "select event_id from published_events order by published_events.published_at desc, id desc",
    );
    await outbox.requestReplay();
    relay({ replayDays: 100_000 });
    await untilReplayed();
    await until("all of them", () => again().length >= rows.length);
    expect(again().sort()).toEqual(rows.map(({ event_id }) => event_id).sort());
    // Batches go from newest to oldest; each batch is in the order of the commits.
    const batchOf = new Map(rows.map(({ event_id }, index) => [event_id, Math.floor(index / 100)]));
    expect(again().map((id) => batchOf.get(id))).toEqual(rows.map((_, index) => Math.floor(index / 100)));
  });

  test("leaves out events that were published more than 7 days ago", async (fixture) => {
    const { outbox, relay, settled, untilReplayed } = fixture;
    const { only, first, again } = await settled();
    await first.stop();
    const [younger, older] = await insertPublished(outbox.pool, 2, "now() - n * interval '5 days'", "null");
    await outbox.requestReplay();
    relay();
    await untilReplayed();
    await until("the younger one", () => again().includes(younger ?? ""));
    expect(only.ids).not.toContain(older);
  });

  test("keeps the order of an aggregate's events within a batch", async ({ outbox, settled }) => {
    const aggregateId = randomUUID();
    const { ids, again } = await settled(() =>
      outbox.commit(Array.from({ length: 20 }, (_, number) => ({ aggregateId, number: number + 1 }))),
    );
    await outbox.requestReplay();
    await until("all of them again", () => again().length >= 21);
    // One more than committed here: the event of untilNoReplayIsPending.
    expect(again().filter((id) => ids.includes(id))).toEqual(ids);
  });

  test("starts over for a request that arrives while it runs", async (fixture) => {
    const { outbox, commit, settled, untilReplayed, requestReplay } = fixture;
    const { ids, again } = await settled(commit);
    await outbox.requestReplay();
    await until("some of them", () => again().length > 0);
    const newest = again()[0];
    const before = again().length;
    await requestReplay();
    await untilReplayed();
    await until("everything since", () => new Set(again().slice(before)).size === ids.length + 1);
    expect(again().slice(before)).toContain(newest);
  });

  test("yields to a backlog of new events", async ({ outbox, settled, commit }) => {
    const { only, first } = await settled(() => commit(2_000));
    await outbox.requestReplay();
    const countBefore = only.replayed.length;
    await until("the replay to run", () => only.replayed.length > countBefore);
    const fresh = await commit(200);
    first.wake();
    await until("the new ones", () => fresh.every((id) => only.ids.includes(id)));
    // The replay takes seconds, new events take milliseconds.
    expect(await outbox.isReplaying()).toBe(true);
  });
});

/** A database and a broker for one test. */
async function setUp(ended: AsyncDisposableStack) {
  const [{ database, outbox }, broker] = await Promise.all([openOutbox(ended), createTestBroker()]);
  ended.defer(broker.drop);

  const { amqpUrl } = broker;
  const mustRoute = (type: string) => type !== "email.send";
  const relay = (options: { replayDays?: number; feedOnlyTypes?: string[] } = {}) =>
    openOneRelay(ended, { database, amqpUrl, mustRoute, ...options });

  /** A consumer that records the ids of events in order of arrival, and which of them were replayed. */
  const consume = () => {
    const ids: string[] = [];
    const replayed: string[] = [];
    const consumer = openConsumer(ended, {
      url: amqpUrl,
      queue: QUEUE,
      prefetch: 100,
      declare: async (channel, connection) => {
        await declareParkingQueue(channel, "test.poison");
        await declareSubscribedQueue(channel, connection, {
          queue: QUEUE,
          poisonQueue: "test.poison",
          exchange: EVENTS_EXCHANGE,
          routingKeys: ["#"],
        });
      },
      handle: async ({ messageId, headers }) => {
        ids.push(messageId ?? "");
        if (headers.replayed === true) replayed.push(messageId ?? "");
        return "ack";
      },
    });
    return { ...consumer, ids, replayed };
  };

  const commit = async (count = EVENTS) => {
    const aggregates = Array.from({ length: 200 }, () => randomUUID());
    return await outbox.commit(
      Array.from({ length: count }, (_, number) => ({
        aggregateId: aggregates[number % aggregates.length] ?? "",
        number,
      })),
    );
  };
  const untilPublished = () => until("an empty outbox", outbox.isEmpty);
  /** Publishes events to a consumer, which stops, and wipes the broker. */
  const lose = async (committing: () => Promise<string[]>, options: Parameters<typeof relay>[0] = {}) => {
    const first = consume();
    relay(options);
    const ids = await committing();
    await untilPublished();
    await first.stop();
    await broker.wipe();
    return { first, ids };
  };
  const { untilReplayed } = outbox;
  const databaseName = () => new URL(database.url).pathname.slice(1);
  const requestReplay = async () => {
    const raw = await openRawBroker(broker.amqpUrl);
    raw.channel.publish("platform.replay", EVENTS_EXCHANGE, Buffer.from("{}"), { persistent: true });
    await raw.channel.waitForConfirms();
    await raw.close();
  };
  /**
   * Waits until the replays that the start of relay and consumer requested are over. An event that was published while the
   * queue was not bound reaches it by the last replay only.
   */
  const untilNoReplayIsPending = async (started: Relay, consumer: { ids: string[] }) => {
    const raw = await openRawBroker(broker.amqpUrl);
    await raw.channel.unbindQueue(QUEUE, EVENTS_EXCHANGE, "#");
    const [unrouted = ""] = await outbox.commit([
      { aggregateId: randomUUID(), number: 1, type: "email.send" },
    ]);
    started.wake();
    await untilPublished();
    await raw.channel.bindQueue(QUEUE, EVENTS_EXCHANGE, "#");
    await raw.close();
    await requestReplay();
    await until("the last replay", () => consumer.ids.includes(unrouted));
    await untilReplayed();
  };
  /** Starts a consumer and a relay, and waits until both have nothing to replay. `again` are the events that arrive later. */
  const settled = async (committing = async (): Promise<string[]> => []) => {
    const only = consume();
    const first = relay();
    await only.whenUp();
    const ids = await committing();
    await until("them all", () => new Set(only.ids).size === ids.length);
    await untilNoReplayIsPending(first, only);
    const countBefore = only.ids.length;
    return { only, first, ids, again: () => only.ids.slice(countBefore) };
  };
  return {
    ...{ broker, outbox, relay, consume, commit, lose, settled, databaseName, requestReplay },
    ...{ untilPublished, untilReplayed },
  };
}
