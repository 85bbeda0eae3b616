// The first event of an aggregate is published by the process that wrote it, and by a relay if that process does not.
import { randomUUID } from "node:crypto";
import {
  type CommittedRow,
  type FirstEvents,
  type NewOutboxRow,
  outboxRow,
  reservedUntil,
  withoutQuota,
} from "@tradepost/messaging";
import { until } from "@tradepost/testing";
import { endedAfterAll, openRelay } from "./support/open-servers.ts";
import { TENANT_ID, TRACEPARENT } from "./support/outbox-table.ts";

const RETURNED = `id::text as "outboxId", occurred_at as "occurredAt"`;
const cause = withoutQuota({
  requestId: "request-1",
  traceparent: TRACEPARENT,
  principal: { tenantId: TENANT_ID, actor: { type: "user", id: "u-1", name: "Ada" } },
});

const ended = endedAfterAll();
const { outbox, relay, arrived, arrivedIds } = await openRelay(ended);

describe("a first event", () => {
  afterEach(async () => {
    await until("an empty outbox", outbox.isEmpty);
    arrived.length = 0;
  });

  const insert = async (event: NewOutboxRow, into = outbox) => {
    const { event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data, attempts } = event;
    const { rows } = await into.pool.query<CommittedRow>(
      `insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data, attempts, next_try_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, ${reservedUntil("$9")}) returning ${RETURNED}`,
      [event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data, attempts],
    );
    return { ...event, ...(rows[0] as CommittedRow) };
  };
  const newEvent = (type = "order.placed") => outboxRow(type, randomUUID(), { text: "1.50 €" }, cause);
  /** Commits an event as if the service died right after. */
  const commitReserved = async (firstEvents: FirstEvents, event = newEvent(), into = outbox) => {
    const reserved = await until("a reservation", () => {
      const tried = firstEvents.reserve(event);
      return tried.attempts === 1 && tried;
    });
    return await insert(reserved, into);
  };

  test("is published as the relay publishes it, and moved", async () => {
    const reserved = await commitReserved(relay);
    relay.committed(reserved);
    await until("an empty outbox", outbox.isEmpty);
    expect(arrivedIds()).toEqual([reserved.event_id]);
    expect(JSON.parse(String(arrived[0]?.content))).toEqual({
      id: reserved.event_id,
      type: "order.placed",
      tenant_id: TENANT_ID,
      occurred_at: reserved.occurredAt.toISOString(),
      request_id: "request-1",
      actor: { type: "user", id: "u-1", name: "Ada" },
      data: { text: "1.50 €" },
    });
    const { rows } = await outbox.pool.query("select id::text from published_events where event_id = $1", [
      reserved.event_id,
    ]);
    expect(rows).toEqual([{ id: reserved.outboxId }]);
  });

  test("is published by the relay if its process dies, and before later events of its aggregate", async () => {
    const reserved = await commitReserved(relay);
    const later = { ...newEvent("order.paid"), aggregate_id: reserved.aggregate_id };
    await insert(later);
    relay.wake();
    await until("an empty outbox", outbox.isEmpty);
    expect(arrivedIds()).toEqual([reserved.event_id, later.event_id]);
  });

  test("is moved before the relay looks for later events of its aggregate", async () => {
    const reserved = await commitReserved(relay);
    relay.committed(reserved);
    await until("the message", () => arrived.length > 0);
    const later = { ...newEvent("order.paid"), aggregate_id: reserved.aggregate_id };
    relay.committed(await insert(later));
    await until("an empty outbox", outbox.isEmpty);
    expect(arrivedIds()).toEqual([reserved.event_id, later.event_id]);
  });

  test("is left to the relay if no queue takes it", async () => {
    const reserved = await commitReserved(relay, newEvent("stock.counted"));
    relay.committed(reserved);
    await until("another attempt", async () => ((await outbox.rows())[0]?.attempts ?? 0) > 1);
    await outbox.pool.query("delete from outbox");
  });

  test("is published again if its reservation ended before it was moved", async () => {
    const reserved = await commitReserved(relay);
    const client = await outbox.pool.connect();
    await client.query("begin");
    await client.query("update outbox set attempts = 2, next_try_at = now() where id = $1", [
      reserved.outboxId,
    ]);
    relay.committed(reserved);
    const waits =
      "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%delete from outbox%'";
    await until("the move to wait", () => outbox.finds(waits));
    await client.query("commit");
    client.release();
    relay.wake();
    await until("the second message", () => arrived.length === 2);
    expect(arrivedIds()).toEqual([reserved.event_id, reserved.event_id]);
  });

  test("is published again by a replay that begins before it is moved", async () => {
    const reserved = await commitReserved(relay);
    await outbox.pool.query("update outbox set next_try_at = 'infinity' where id = $1", [reserved.outboxId]);
    await outbox.requestReplay();
    await until("the replay", async () => !(await outbox.isReplaying()) && (await outbox.isEmpty()));
    expect(arrivedIds()).toContain(reserved.event_id);
  });

  test("is moved when the relay stops, and no event is reserved after that", async () => {
    const { relay: stopping, outbox: its, arrived: itsMessages } = await openRelay(ended);
    stopping.committed(await commitReserved(stopping, newEvent(), its));
    await stopping.stop();
    expect(await its.rows()).toEqual([]);
    expect(itsMessages.length).toBe(1);
    expect(stopping.reserve(newEvent()).attempts).toBe(0);
  });
});
