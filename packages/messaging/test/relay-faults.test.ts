// The relay while the broker or the database fails: no event is lost or leaves the outbox before its confirm, the relay
// recovers by itself, and the process survives. An uncaught error fails the test in which it happens.
import { randomInt, randomUUID } from "node:crypto";
import { sleep } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { openRelay, testWith } from "./support/open-servers.ts";

// The tests run at the same time, because they mostly wait.
const test = testWith(setUp);
const testImpatient = testWith((ended) => setUp(ended, { confirmTimeoutMs: 2_000 }));

describe("the relay with a broker that fails", () => {
  for (const how of ["refuses connections", "does not respond"])
    testImpatient(
      `keeps events in the outbox while the broker ${how}, reports that, and publishes them later`,
      async (fixture) => {
        const { proxy, outbox, relay, isUp, commitOne, timesArrived } = fixture;
        if (how === "does not respond") proxy.blackhole();
        else {
          await proxy.refuse();
          await until("the relay to notice", () => !isUp());
        }
        const id = await commitOne();
        relay.wake();
        await until("the relay to notice", () => !isUp());
        expect((await outbox.rows()).map(({ event_id }) => event_id)).toEqual([id]);
        await proxy.restore();
        await until("the message", () => timesArrived(id) >= 1);
        await until("an empty outbox", outbox.isEmpty);
      },
    );

  test("removes an event from the outbox only after its confirm, and has no transaction id until then, so it hides no event from the change feed", async (fixture) => {
    const { proxy, outbox, publishUnconfirmed, timesArrived } = fixture;
    const id = await publishUnconfirmed();
    expect((await outbox.rows()).map(({ event_id }) => event_id)).toEqual([id]);
    const { rows } = await outbox.pool.query(
      `select backend_xid from pg_stat_activity
        where datname = current_database() and application_name = 'test.relay' and state = 'idle in transaction'`,
    );
    expect(rows).toEqual([{ backend_xid: null }]);
    await proxy.restore();
    await until("the message again", () => timesArrived(id) >= 2);
    await until("an empty outbox", outbox.isEmpty);
  });

  test("recovers when the database closes its connection while it waits for a confirm", async (fixture) => {
    const { proxy, outbox, publishUnconfirmed, timesArrived } = fixture;
    const id = await publishUnconfirmed();
    await until("the end of its transaction", async () => {
      const { rowCount } = await outbox.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'test.relay' and state = 'idle in transaction'`,
      );
      return rowCount;
    });
    await proxy.restore();
    await until("an empty outbox", outbox.isEmpty);
    expect(timesArrived(id)).toBeGreaterThanOrEqual(2);
  });

  test("loses none of 2,000 events, nor their order, when the connection is reset 100 times", async (fixture) => {
    const { proxy, outbox, relay, arrived } = fixture;
    const aggregates = Array.from({ length: 20 }, () => randomUUID());
    const ids: string[] = [];
    for (let number = 1; number <= 100; number += 1) {
      ids.push(...(await outbox.commit(aggregates.map((aggregateId) => ({ aggregateId, number })))));
      relay.wake();
      // Some resets hit a connection that is being opened, some a publish, some a wait for confirms.
      await sleep(randomInt(60));
      proxy.reset();
    }
    await until("an empty outbox", outbox.isEmpty);
    const seen = () => new Map(arrived.map(({ properties, content }) => [properties.messageId, content]));
    await until("every message", () => seen().size === ids.length);
    // Duplicates are allowed; a map keeps the position of the first.
    const first = [...seen().values()].map((content) => JSON.parse(content.toString()).data);
    for (const aggregateId of aggregates) {
      const numbers = first.filter((data) => data.aggregateId === aggregateId).map(({ number }) => number);
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    }
  });
});

/** A relay that is up, with its own database and broker. */
async function setUp(ended: AsyncDisposableStack, options: { confirmTimeoutMs?: number } = {}) {
  const { proxy, outbox, arrived, arrivedIds, relay } = await openRelay(ended, options);

  const commitOne = async () => (await outbox.commit([{ aggregateId: randomUUID(), number: 1 }]))[0];
  /** Publishes an event whose confirm does not arrive until the proxy is restored. */
  const publishUnconfirmed = async () => {
    proxy.blackhole("responses");
    const id = await commitOne();
    relay.wake();
    await until("the message at the broker", () => timesArrived(id) >= 1);
    return id;
  };
  const timesArrived = (id: string | undefined) => arrivedIds().filter((one) => one === id).length;
  // The relay publishes once the consumer of its replay queue is up too, which `isUp` does not say.
  const first = await commitOne();
  await until("the first message", () => timesArrived(first) === 1);
  await until("an empty outbox", outbox.isEmpty);
  arrived.length = 0;
  return { proxy, outbox, relay, arrived, isUp: relay.isUp, commitOne, publishUnconfirmed, timesArrived };
}
