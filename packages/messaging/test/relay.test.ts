// The relay publishes each committed event as one message with the properties and the body of the interface (§6), and
// leaves only pending events in the outbox.
import { randomUUID } from "node:crypto";
import { parseJson } from "@tradepost/json";
import { decodeEvent, EVENTS_EXCHANGE, keptEventBytes } from "@tradepost/messaging";
import { until } from "@tradepost/testing";
import { endedAfterAll, openRelay } from "./support/open-servers.ts";
import { TENANT_ID, TRACEPARENT } from "./support/outbox-table.ts";

const { outbox, relay, arrived, arrivedIds } = await openRelay(endedAfterAll(), {
  mustRoute: (type) => !type.startsWith("email."),
  feedOnlyTypes: ["order.updated"],
});

describe("the relay", () => {
  afterEach(async () => {
    await outbox.pool.query("delete from outbox");
    arrived.length = 0;
  });

  test("counts the bytes that are kept of a tenant, before and after publication", async () => {
    const [tenantId, other] = [randomUUID(), randomUUID()];
    const bytes = async () => {
      const kept = await keptEventBytes(outbox.pool, [other, tenantId]);
      expect(kept.get(other)?.eventBytes).toBe(0);
      return kept.get(tenantId)?.eventBytes;
    };
    const client = await outbox.pool.connect();
    const insert = (count: number) =>
      client.query(
        `insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
         select gen_random_uuid(), gen_random_uuid(), 'order.placed', $1, 'r', $2, '{}', '{"text": "ä"}'
           from generate_series(1, $3)`,
        [tenantId, TRACEPARENT, count],
      );
    const each = Buffer.byteLength('{"text": "ä"}');
    await client.query("begin");
    await insert(5);
    expect(await bytes()).toBe(0);
    await client.query("commit");
    expect(await bytes()).toBe(5 * each);
    relay.wake();
    const isPublished = (count: number) =>
      outbox.finds("select from published_events where tenant_id = $1 having count(*) = $2", [
        tenantId,
        count,
      ]);
    await until("they are published", () => isPublished(5));
    expect(await bytes()).toBe(5 * each);
    await insert(1);
    client.release();
    relay.wake();
    await until("another is published", () => isPublished(6));
    expect(await bytes()).toBe(6 * each);
  });

  test("publishes an event with the properties and the body of the interface, and its data as stored, with all digits", async () => {
    const data = '{"price": 19.990000000000000000001, "id": 12345678901234567890, "b":1,"a":2}';
    const [id] = await outbox.commit([{ aggregateId: randomUUID(), number: 1, data }]);
    relay.wake();
    const message = await until("the message", () => arrived[0]);
    expect(message.fields).toMatchObject({ exchange: EVENTS_EXCHANGE, routingKey: "order.placed" });
    expect(message.properties).toMatchObject({
      deliveryMode: 2,
      contentType: "application/json",
      messageId: id,
      type: "order.placed",
      timestamp: expect.any(Number),
      headers: { tenant_id: TENANT_ID, traceparent: TRACEPARENT },
    });
    const body = JSON.parse(message.content.toString());
    expect(body).toEqual({
      id,
      type: "order.placed",
      tenant_id: TENANT_ID,
      occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      request_id: "request-1",
      actor: { type: "user", id: "u-1", name: "Ada" },
      data: JSON.parse(data),
    });
    expect(message.content.toString()).toContain(`,"data":${data}}`);
    expect(decodeEvent(message.content)).toEqual({ event: { ...body, data: parseJson(data) } });
    await until("an empty outbox", outbox.isEmpty);
  });

  test("moves events in their order and transaction, one of the change feed only without sending it, though nothing wakes it", async () => {
    const aggregateId = randomUUID();
    const types = ["order.placed", "order.updated", "order.paid"];
    const locked = await lockShards();
    const ids = await outbox.commit(types.map((type, number) => ({ aggregateId, number, type })));
    const { rows: waiting } = await outbox.pool.query("select event_id, xid from outbox order by id");
    await locked.release();
    await until("an empty outbox", outbox.isEmpty);
    await until("both messages", () => arrived.length === 2);
    expect(arrivedIds()).toEqual([ids[0], ids[2]]);
    const published = "select event_id, xid from published_events where aggregate_id = $1 order by id";
    const { rows } = await outbox.pool.query(published, [aggregateId]);
    expect(rows).toEqual(waiting);
    expect(rows.map(({ event_id }) => event_id)).toEqual(ids);
  });

  test("publishes an event at once, also if its transaction began after the relay's own", async () => {
    const aggregateId = randomUUID();
    const events = [1, 2].map((number) => ({ aggregateId, number }));
    const locked = await lockShards();
    const ids = await outbox.commit(events);
    await outbox.pool.query("update outbox set next_try_at = 'infinity' where event_id = $1", [ids[0]]);
    await locked.release();
    await until("both messages", () => arrived.length === 2);
    expect(arrivedIds()).toEqual(ids);
  });

  test("publishes an event after another relay has unlocked its shard", async () => {
    const locked = await lockShards();
    const [id] = await outbox.commit([{ aggregateId: randomUUID(), number: 1 }]);
    relay.wake();
    await locked.tried();
    expect(arrived).toEqual([]);
    await locked.release();
    const message = await until("the message", () => arrived[0]);
    expect(message.properties.messageId).toBe(id);
  });

  test("counts an event as published without a queue if its type need not be routed", async () => {
    await outbox.commit([{ aggregateId: randomUUID(), number: 1, type: "email.send" }]);
    relay.wake();
    await until("an empty outbox", outbox.isEmpty);
    expect(arrived).toEqual([]);
  });

  test("parks an event that cannot be encoded, and publishes the others", async () => {
    const aggregateId = randomUUID();
    const [before, unencodable, after, stranger] = await outbox.commit([
      { aggregateId, number: 1 },
      { aggregateId, number: 2, traceparent: "x".repeat(70_000) },
      { aggregateId, number: 3 },
      { aggregateId: randomUUID(), number: 1 },
    ]);
    relay.wake();
    await until("only the parked row", async () => (await outbox.rows()).length === 1);
    const parked = { attempts: 1, last_error: "the message cannot be encoded", parked_at: expect.any(Date) };
    expect(await outbox.rows()).toEqual([{ event_id: unencodable, ...parked }]);
    await until("the others", () => arrived.length >= 3);
    expect(arrivedIds().sort()).toEqual([before, after, stranger].sort());
    // The parked event does not delay later events of its aggregate.
    await outbox.commit([{ aggregateId, number: 4 }]);
    relay.wake();
    await until("the next of the aggregate", () => arrived.length === 4);
  });

  describe("the time of publication, when the database's clock was set back,", () => {
    const inHours = "clock_timestamp() + $1::integer * interval '1 hour'";
    /** Publishes an event. Returns its time, and the time that is `hours` ahead. */
    async function publishBefore(hours: number) {
      const [id] = await outbox.commit([{ aggregateId: randomUUID(), number: 1 }]);
      relay.wake();
      return await until("the event to be published", async () => {
        const { rows } = await outbox.pool.query<{ at: Date; limit: Date }>(
          `select published_at as at, ${inHours} as limit from published_events where event_id = $2`,
          [hours, id],
        );
        return rows[0];
      });
    }
    beforeEach(async () => {
      await outbox.pool.query("delete from published_events");
      await outbox.pool.query("update event_tally set tallied_until = now()");
    });

    test("goes on from the latest publication", async () => {
      await publishBefore(0);
      await outbox.pool.query(`update published_events set published_at = ${inHours}`, [2]);
      const first = await publishBefore(1);
      expect(first.at.getTime()).toBeGreaterThan(first.limit.getTime());
      await publishBefore(1);
      const { rows } = await outbox.pool.query(
        "select count(*)::int, count(distinct published_at)::int as times from published_events where published_at > now()",
      );
      expect(rows).toEqual([{ count: 3, times: 3 }]);
    });

    test("goes on from the end of the tallies", async () => {
      await outbox.pool.query(`update event_tally set tallied_until = ${inHours}`, [2]);
      const { at, limit } = await publishBefore(1);
      expect(at.getTime()).toBeGreaterThan(limit.getTime());
    });

    test("is that of the clock if the latest is more than a day ahead", async () => {
      await publishBefore(0);
      await outbox.pool.query(`update published_events set published_at = ${inHours}`, [25]);
      await outbox.pool.query(`update event_tally set tallied_until = ${inHours}`, [25]);
      const { at, limit } = await publishBefore(0);
      expect(at.getTime()).toBeLessThanOrEqual(limit.getTime());
    });
  });

  /** Locks every shard as another relay does. */
  async function lockShards() {
    const client = await outbox.lockShards();
    const { rows } = await client.query<{ at: Date }>("select clock_timestamp() as at");
    return {
      /** Resolves when, after this call, the relay has looked for events and has ended its transaction. */
      tried: () =>
        until("a try of the relay", () =>
          outbox.finds(
            `select from pg_stat_activity where datname = current_database() and application_name = 'test.relay'
                and query = 'commit' and query_start > $1`,
            [rows[0]?.at],
          ),
        ),
      release: async () => {
        await client.query("commit");
        client.release();
      },
    };
  }
});
