// The order of an aggregate's events: kept with two relays at work on one outbox, and kept behind an event that the
// broker does not take, which holds up its own aggregate and nobody else's.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { EVENTS_EXCHANGE, type Relay, startRelay } from "@tradepost/messaging";
import { createLogger, createMetrics } from "@tradepost/runtime";
import {
  createTestBroker,
  createTestDatabase,
  type TestBroker,
  type TestDatabase,
  until,
} from "@tradepost/testing";
import type { ConsumeMessage } from "amqplib";
import { createOutbox, type Outbox } from "./support/outbox-table.ts";
import { openRawBroker, type RawBroker } from "./support/raw-broker.ts";

const EVENTS_PER_AGGREGATE = 5;

describe("two relays on one outbox", () => {
  let database: TestDatabase;
  let broker: TestBroker;
  let outbox: Outbox;
  let raw: RawBroker;
  let relays: Relay[];
  let arrived: ConsumeMessage[];

  beforeAll(async () => {
    [database, broker] = await Promise.all([createTestDatabase(), createTestBroker()]);
    outbox = await createOutbox(database.url);
    raw = await openRawBroker(broker.amqpUrl);
    await raw.channel.assertExchange(EVENTS_EXCHANGE, "topic", { durable: true });
    arrived = await raw.tap(EVENTS_EXCHANGE, "order.#");
    relays = [1, 2].map(() =>
      startRelay({
        service: "test",
        databaseUrl: database.url,
        amqpUrl: broker.amqpUrl,
        mustRoute: () => true,
        logger: createLogger("test", "silent"),
        metrics: createMetrics("test"),
      }),
    );
  });

  afterAll(async () => {
    await Promise.all(relays.map((relay) => relay.stop()));
    await outbox.close();
    await raw.close();
    await database.drop();
    await broker.drop();
  });

  const wake = () => {
    for (const relay of relays) relay.wake();
  };
  /** Tries sooner than an idle relay would by itself. */
  const untilWoken = (what: string, look: () => Promise<boolean>) =>
    until(what, async () => {
      wake();
      return await look();
    });

  /** The numbers that arrived of each aggregate, in the order they came. */
  const numbersByAggregate = () => {
    const all = arrived.map(({ content }) => JSON.parse(content.toString()).data);
    const byAggregate = Map.groupBy(all, ({ aggregateId }) => aggregateId as string);
    return new Map(
      [...byAggregate].map(([id, events]) => [id, events.map(({ number }) => number as number)]),
    );
  };

  test("the events of each of 200 aggregates arrive once, in the order of their commits", async () => {
    const aggregates = Array.from({ length: 200 }, () => randomUUID());
    for (let number = 1; number <= EVENTS_PER_AGGREGATE; number += 1) {
      // Several commits a round, so that the relays find work while there is more to come.
      for (let start = 0; start < aggregates.length; start += 50) {
        await outbox.commit(
          aggregates.slice(start, start + 50).map((aggregateId) => ({ aggregateId, number })),
        );
        wake();
      }
    }
    await until("an empty outbox", outbox.isEmpty);
    await until("every message", () => arrived.length >= aggregates.length * EVENTS_PER_AGGREGATE);
    const expected = Array.from({ length: EVENTS_PER_AGGREGATE }, (_, index) => index + 1);
    const numbers = numbersByAggregate();
    expect(aggregates.filter((id) => String(numbers.get(id)) !== String(expected))).toEqual([]);
  });

  test("an event that must be heard and has no queue waits, its aggregate behind it, and others pass", async () => {
    arrived.length = 0;
    const aggregateId = randomUUID();
    const stranger = randomUUID();
    const [unheard, behind] = await outbox.commit([
      { aggregateId, number: 1, type: "stock.counted" },
      { aggregateId, number: 2 },
      { aggregateId: stranger, number: 1 },
    ]);
    wake();
    await until("the stranger's event", () => numbersByAggregate().has(stranger));
    // Several tries, so that both relays have met it.
    await untilWoken("four tries", async () => (await outbox.rows()).some(({ attempts }) => attempts >= 4));
    expect(await outbox.rows()).toEqual([
      { event_id: unheard, attempts: expect.any(Number), last_error: "unroutable", parked_at: null },
      { event_id: behind, attempts: 0, last_error: null, parked_at: null },
    ]);
    const later = randomUUID();
    await outbox.commit([{ aggregateId: later, number: 1 }]);
    wake();
    await until("a later event of others", () => numbersByAggregate().has(later));
    expect(numbersByAggregate().has(aggregateId)).toBe(false);

    const heard = await raw.tap(EVENTS_EXCHANGE, "stock.counted");
    await untilWoken("an empty outbox", outbox.isEmpty);
    await until(
      "both events",
      () => heard.length === 1 && numbersByAggregate().get(aggregateId)?.length === 1,
    );
    expect(heard[0]?.properties.messageId).toBe(unheard);
  });

  test("with many events that are refused at first, no later event of an aggregate overtakes", async () => {
    const aggregates = Array.from({ length: 100 }, () => randomUUID());
    arrived.length = 0;
    for (let number = 1; number <= EVENTS_PER_AGGREGATE; number += 1) {
      await outbox.commit(aggregates.map((aggregateId) => ({ aggregateId, number, type: "parcel.moved" })));
      wake();
    }
    // The last of each is heard from the start, the others only once a queue is bound for them.
    await outbox.commit(aggregates.map((aggregateId) => ({ aggregateId, number: 6 })));
    await untilWoken("a few tries", async () => (await outbox.rows()).some(({ attempts }) => attempts >= 3));
    expect(arrived).toEqual([]);
    const parcels = await raw.tap(EVENTS_EXCHANGE, "parcel.moved");
    await untilWoken("an empty outbox", outbox.isEmpty);
    await until("all", () => arrived.length === 100 && parcels.length >= 500);
    arrived.unshift(...parcels);
    const wrong = [...numbersByAggregate().values()].filter((numbers) => String(numbers) !== "1,2,3,4,5,6");
    expect(wrong).toEqual([]);
  });
});
