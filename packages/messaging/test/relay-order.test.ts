// The order of an aggregate's events with two relays on one outbox, even when the broker refuses an event: only later events of its
// aggregate are delayed.
import { randomUUID } from "node:crypto";
import { EVENTS_EXCHANGE } from "@tradepost/messaging";
import { until } from "@tradepost/testing";
import { endedAfterAll, openRelay } from "./support/open-servers.ts";

const EVENTS_PER_AGGREGATE = 5;

const { outbox, raw, arrived, relay, start } = await openRelay(endedAfterAll());
const relays = [relay, start()];

describe("two relays on one outbox", () => {
  const wake = () => {
    for (const relay of relays) relay.wake();
  };
  /** Wakes the relays before each check, instead of waiting for them to poll. */
  const untilWoken = (what: string, look: () => Promise<boolean>) =>
    until(what, async () => {
      wake();
      return await look();
    });

  /** The event numbers that arrived of each aggregate, in order of arrival. */
  const numbersByAggregate = () => {
    const all = arrived.map(({ content }) => JSON.parse(content.toString()).data);
    const byAggregate = Map.groupBy(all, ({ aggregateId }) => aggregateId as string);
    return new Map(
      [...byAggregate].map(([id, events]) => [id, events.map(({ number }) => number as number)]),
    );
  };

  test("publish the events of each of 200 aggregates once, in the order of their commits", async () => {
    const aggregates = Array.from({ length: 200 }, () => randomUUID());
    for (let number = 1; number <= EVENTS_PER_AGGREGATE; number += 1) {
      // Several commits per round, so that the relays publish while more events are committed.
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

  test("hold an event without a queue, and the later events of its aggregate, and publish others", async () => {
    arrived.length = 0;
    const aggregateId = randomUUID();
    const stranger = randomUUID();
    const [unroutable, later] = await outbox.commit([
      { aggregateId, number: 1, type: "stock.counted" },
      { aggregateId, number: 2 },
      { aggregateId: stranger, number: 1 },
    ]);
    wake();
    await until("the stranger's event", () => numbersByAggregate().has(stranger));
    // Several tries, so that both relays have tried it.
    await untilWoken("four tries", async () => (await outbox.rows()).some(({ attempts }) => attempts >= 4));
    expect(await outbox.rows()).toEqual([
      { event_id: unroutable, attempts: expect.any(Number), last_error: "unroutable", parked_at: null },
      { event_id: later, attempts: 0, last_error: null, parked_at: null },
    ]);
    const another = randomUUID();
    await outbox.commit([{ aggregateId: another, number: 1 }]);
    wake();
    await until("a later event of another aggregate", () => numbersByAggregate().has(another));
    expect(numbersByAggregate().has(aggregateId)).toBe(false);

    const stockEvents = await raw.capture(EVENTS_EXCHANGE, "stock.counted");
    await untilWoken("an empty outbox", outbox.isEmpty);
    await until(
      "both events",
      () => stockEvents.length === 1 && numbersByAggregate().get(aggregateId)?.length === 1,
    );
    expect(stockEvents[0]?.properties.messageId).toBe(unroutable);
  });

  test("never let a later event of an aggregate overtake one that was refused", async () => {
    const aggregates = Array.from({ length: 100 }, () => randomUUID());
    arrived.length = 0;
    for (let number = 1; number <= EVENTS_PER_AGGREGATE; number += 1) {
      await outbox.commit(aggregates.map((aggregateId) => ({ aggregateId, number, type: "parcel.moved" })));
      wake();
    }
    // The last event of each aggregate has a queue from the start, the others only later.
    await outbox.commit(aggregates.map((aggregateId) => ({ aggregateId, number: 6 })));
    await untilWoken("a few tries", async () => (await outbox.rows()).some(({ attempts }) => attempts >= 3));
    expect(arrived).toEqual([]);
    const parcels = await raw.capture(EVENTS_EXCHANGE, "parcel.moved");
    await untilWoken("an empty outbox", outbox.isEmpty);
    await until("all", () => arrived.length === 100 && parcels.length >= 500);
    arrived.unshift(...parcels);
    const wrong = [...numbersByAggregate().values()].filter((numbers) => String(numbers) !== "1,2,3,4,5,6");
    expect(wrong).toEqual([]);
  });
});
