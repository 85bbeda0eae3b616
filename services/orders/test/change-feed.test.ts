// GET /v1/orders/events lists every event once, in an order in which a reader misses nothing (interface §10).
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { eventData } from "@tradepost/event-catalog";
import { sleep } from "@tradepost/runtime";
import { type ApiClient, type ClientResponse, until } from "@tradepost/testing";
import pg from "pg";
import { placeOrder, takeSteps } from "./support/lifecycle-steps.ts";
import { lockOrderNumbers } from "./support/lock-order-numbers.ts";
import { startTestOrders, type TestOrders, type TestShop } from "./support/test-orders.ts";

let orders: TestOrders;

beforeAll(async () => {
  orders = await startTestOrders({ replicas: 2 });
});

afterAll(async () => {
  await orders.stop();
});

interface FeedEvent {
  id: string;
  type: string;
  data: { order: { id: string; createdAt: string } };
}

interface Page {
  events: FeedEvent[];
  cursor: string;
}

/** Reads the feed from a cursor to its end. */
async function follow(client: ApiClient, after: string | null, query = ""): Promise<Page> {
  const events: FeedEvent[] = [];
  let cursor = after;
  for (;;) {
    const from = cursor === null ? "" : `&after=${cursor}`;
    const { status, text, body } = await client.get(`/v1/orders/events?limit=100${query}${from}`);
    if (status !== 200) throw new Error(`the feed was refused: ${status} ${text}`);
    events.push(...body.data);
    cursor = String(body.page.nextCursor);
    if (!body.page.hasMore) return { events, cursor };
  }
}

/**
 * Reads the feed from a cursor until it has had `count` events. It may have to wait: the tests of other files share the
 * server, and a transaction that they hold open hides what was committed since.
 */
async function readEvents(client: ApiClient, after: string | null, count: number): Promise<Page> {
  const events: FeedEvent[] = [];
  let cursor = after;
  for (let tries = 0; tries < 10 && events.length < count; tries += 1) {
    const page = await follow(client, cursor, "&waitSeconds=10");
    events.push(...page.events);
    cursor = page.cursor;
  }
  return { events, cursor: cursor ?? "" };
}

const orderIds = (events: readonly FeedEvent[]) => events.map(({ data }) => data.order.id);

async function placeNumbered(shop: TestShop, orderNumber: string): Promise<string> {
  const items = [{ sku: "A-1", name: "Mug", unitPrice: 10 }];
  const { body } = await shop.client.post("/v1/orders", { customerId: shop.customerId, items, orderNumber });
  return body.data.id;
}

describe("an order that commits late", () => {
  test("is missed by a poll by createdAfter, and not by the feed", async () => {
    const shop = await orders.openShop();
    await placeOrder(shop);
    const { cursor } = await readEvents(shop.client, null, 1);
    const lock = await lockOrderNumbers(orders, shop.tenantId);
    const late = placeOrder(shop);
    await lock.waiting(1);
    const early = await placeNumbered(shop, "EARLY");
    const firstPoll = await shop.client.get("/v1/orders");
    const newest = firstPoll.body.data[0].createdAt;
    const first = await follow(shop.client, cursor);
    await lock.release();
    const lateId = await late;

    const secondPoll = await shop.client.get(`/v1/orders?createdAfter=${newest}`);
    expect(secondPoll.body.data.map(({ id }: { id: string }) => id)).not.toContain(lateId);
    const second = await readEvents(shop.client, first.cursor, 2 - first.events.length);
    expect(orderIds([...first.events, ...second.events]).toSorted()).toEqual([early, lateId].toSorted());
  });

  test("hides the orders of later transactions until it commits", async () => {
    const shop = await orders.openShop();
    const client = new pg.Client(orders.databaseUrl);
    await client.connect();
    await client.query("begin");
    await client.query("select pg_current_xact_id()");
    const id = await placeOrder(shop);
    expect((await follow(shop.client, null)).events).toEqual([]);
    await client.query("commit");
    await client.end();
    expect(orderIds((await readEvents(shop.client, null, 1)).events)).toEqual([id]);
  });
});

test("a reader sees each order once while orders and imports commit out of order", async () => {
  const shop = await orders.openShop();
  let isPlacing = true;
  const seen: FeedEvent[] = [];
  const reading = (async () => {
    let cursor: string | null = null;
    for (let isLast = false; !isLast; ) {
      isLast = !isPlacing;
      const client = shop.clientAt(orders.urls[1] ?? "");
      const page: Page = isLast
        ? await readEvents(client, cursor, 100 - seen.length)
        : await follow(client, cursor);
      seen.push(...page.events);
      cursor = page.cursor;
    }
  })();
  const item = { sku: "A-1", name: "Mug", unitPrice: 10 };
  const bulk = { orders: Array.from({ length: 20 }, () => ({ customerId: shop.customerId, items: [item] })) };
  const writers = Array.from({ length: 4 }, async () => {
    for (let count = 0; count < 10; count += 1) await placeOrder(shop);
  });
  const importer = (async () => {
    for (let count = 0; count < 3; count += 1) await shop.client.post("/v1/orders/bulk", bulk);
  })();
  await Promise.all([...writers, importer]);
  isPlacing = false;
  await reading;
  const { rows } = await queryAll("select id from orders where tenant_id = $1", [shop.tenantId]);
  expect(rows).toHaveLength(100);
  expect(orderIds(seen).toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
});

describe("a page", () => {
  test("has the events of an order as they were committed, verbatim", async () => {
    const shop = await orders.openShop();
    const id = await placeOrder(shop);
    await takeSteps(shop.client, id, ["succeeded", "fulfill", "deliver"]);
    await readEvents(shop.client, null, 4);
    const { body, headers, text } = await shop.client.get("/v1/orders/events");
    expect(body.data.map(({ type }: FeedEvent) => type)).toEqual([
      "order.placed",
      "order.paid",
      "order.fulfilled",
      "order.delivered",
    ]);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(body.data[1]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: "order.paid",
      occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      requestId: expect.any(String),
      actor: { type: expect.any(String), id: expect.any(String), name: expect.any(String) },
      data: { order: expect.objectContaining({ id }), payment: expect.any(Object) },
    });
    const { rows } = await queryAll(
      "select data::text from (select type, data, id from outbox where tenant_id = $1 union all select type, data, id from published_events where tenant_id = $1) as event where type like 'order.%' order by id",
      [shop.tenantId],
    );
    for (const { data } of rows) expect(text).toContain(`"data":${data}`);
  });

  test("has at most `limit` events, and says whether there are more", async () => {
    const shop = await orders.openShop();
    const ids = [await placeOrder(shop), await placeOrder(shop), await placeOrder(shop)];
    await readEvents(shop.client, null, 3);
    const first = await shop.client.get("/v1/orders/events?limit=2");
    expect([orderIds(first.body.data), first.body.page.hasMore]).toEqual([ids.slice(0, 2), true]);
    const second = await shop.client.get(`/v1/orders/events?limit=2&after=${first.body.page.nextCursor}`);
    expect([orderIds(second.body.data), second.body.page.hasMore]).toEqual([ids.slice(2), false]);
    const third = await shop.client.get(`/v1/orders/events?after=${second.body.page.nextCursor}`);
    expect([third.body.data, third.body.page]).toEqual([
      [],
      { nextCursor: expect.any(String), hasMore: false },
    ]);
  });

  test("has at most 1 MiB of data, or one event", async () => {
    const shop = await orders.openShop();
    const sizes = [700_000, 2_000_000, 700_000, 100_000, 100_000];
    await queryAll(
      `insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
       select gen_random_uuid(), $1, 'order.placed', $1, 'request-1', '', $3,
              jsonb_set($4::jsonb, '{order,customerNote}', to_jsonb(repeat('x', size)))
         from unnest($2::integer[]) with ordinality as each (size, position) order by position`,
      [shop.tenantId, sizes, ACTOR, PLACED],
    );
    const pages: number[] = [];
    for (let cursor: string | null = null, hasMore = true; hasMore || pages.length === 0; ) {
      const from = cursor === null ? "" : `&after=${cursor}`;
      const { body } = await shop.client.get(`/v1/orders/events?waitSeconds=25${from}`);
      pages.push(body.data.length);
      ({ nextCursor: cursor, hasMore } = body.page);
    }
    expect(pages).toEqual([1, 1, 3]);
  });

  test("has the wanted types only", async () => {
    const shop = await orders.openShop();
    const id = await placeOrder(shop);
    await takeSteps(shop.client, id, ["succeeded", "fulfill"]);
    await readEvents(shop.client, null, 3);
    const { events, cursor } = await follow(shop.client, null, "&types=order.fulfilled,order.placed");
    expect(events.map(({ type }) => type)).toEqual(["order.placed", "order.fulfilled"]);
    expect((await follow(shop.client, cursor)).events).toEqual([]);
  });

  test("has no event of another tenant, also with that tenant's cursor", async () => {
    const [shop, other] = [await orders.openShop(), await orders.openShop()];
    await placeOrder(shop);
    const { cursor } = await readEvents(shop.client, null, 1);
    const id = await placeOrder(other);
    await placeOrder(shop);
    await readEvents(shop.client, cursor, 1);
    expect(orderIds((await follow(other.client, null)).events)).toEqual([id]);
    expect(orderIds((await follow(other.client, cursor)).events)).toEqual([id]);
  });

  test("starts at the end with after=now", async () => {
    const shop = await orders.openShop();
    const empty = await follow(shop.client, "now");
    const first = await placeOrder(shop);
    expect(orderIds((await readEvents(shop.client, empty.cursor, 1)).events)).toEqual([first]);
    const { events, cursor } = await follow(shop.client, "now");
    expect(events).toEqual([]);
    const second = await placeOrder(shop);
    expect(orderIds((await readEvents(shop.client, cursor, 1)).events)).toEqual([second]);
  });
});

describe("a cursor", () => {
  test.each(["now", null])(
    "from the end is as new as the visit, however quiet the tenant is: %p",
    async (after) => {
      const shop = await orders.openShop();
      const { rows } = await queryAll(
        "select floor(extract(epoch from clock_timestamp()) * 1000) as now",
        [],
      );
      const { cursor } = await follow(shop.client, after);
      const [, , since] = Buffer.from(cursor, "base64url").toString().split(" ");
      expect(Number(since)).toBeGreaterThanOrEqual(Number(rows[0]?.now));
    },
  );

  test("does not pass a published event that an open transaction hides", async () => {
    const shop = await orders.openShop();
    const client = new pg.Client(orders.databaseUrl);
    await client.connect();
    await client.query("begin");
    await client.query("select pg_current_xact_id()");
    const id = await placeOrder(shop);
    await until("the relay to publish", async () => {
      const { rows } = await queryAll(
        "select from published_events where tenant_id = $1 and type = 'order.placed'",
        [shop.tenantId],
      );
      return rows.length === 1;
    });
    const { cursor } = await follow(shop.client, "now");
    const { rows } = await queryAll(
      "select extract(epoch from published_at) * 1000 as at from published_events where tenant_id = $1 and type = 'order.placed'",
      [shop.tenantId],
    );
    const [, , since] = Buffer.from(cursor, "base64url").toString().split(" ");
    expect(Number(since)).toBeLessThanOrEqual(Number(rows[0]?.at));
    await client.query("commit");
    await client.end();
    expect(orderIds((await readEvents(shop.client, cursor, 1)).events)).toEqual([id]);
  });

  test("finds an event that is published after the database's clock was set back by hours", async () => {
    const shop = await orders.openShop();
    await placeOrder(shop);
    const { cursor } = await readEvents(shop.client, null, 1);
    const id = await placeOrder(shop);
    await until("the relay to publish", async () => {
      const { rows } = await queryAll("select from outbox where tenant_id = $1", [shop.tenantId]);
      return rows.length === 0;
    });
    await queryAll(
      "update published_events set published_at = published_at - interval '20 hours' where tenant_id = $1",
      [shop.tenantId],
    );
    expect(orderIds((await readEvents(shop.client, cursor, 1)).events)).toEqual([id]);
  });

  test("is not ahead of the database's clock, whatever the time of the event", async () => {
    const shop = await orders.openShop();
    const id = await placeOrder(shop);
    await queryAll("update orders set updated_at = now() + interval '3 days' where id = $1", [id]);
    await takeSteps(shop.client, id, ["succeeded"]);
    const { cursor } = await readEvents(shop.client, null, 2);
    expect((await follow(shop.client, cursor)).events).toEqual([]);
  });

  test("goes on through a restart of the service and a move of its events by the relay", async () => {
    const shop = await orders.openShop();
    await placeOrder(shop);
    const { cursor } = await readEvents(shop.client, null, 1);
    const ids = [await placeOrder(shop), await placeOrder(shop)];
    await until("the relay to publish", async () => {
      const { rows } = await queryAll("select from outbox where tenant_id = $1", [shop.tenantId]);
      return rows.length === 0;
    });
    const replica = await orders.startReplica();
    expect(orderIds((await readEvents(shop.clientAt(replica.url), cursor, 2)).events)).toEqual(ids);
    await replica.stop();
  });

  test.each([
    ["older than EVENTS_KEEP_DAYS", (parts: Parts) => ({ ...parts, since: daysAgo(32) })],
    ["from before the oldest day", (parts: Parts) => ({ ...parts, since: daysAgo(3) })],
    ["more than a day ahead of the database's clock", (parts: Parts) => ({ ...parts, since: daysAgo(-2) })],
    ["ahead of the database", (parts: Parts) => ({ ...parts, xid: "999999999999" })],
  ])("is 410 if it is %s", async (_name, changed) => {
    const shop = await orders.openShop();
    await placeOrder(shop);
    const { cursor } = await readEvents(shop.client, null, 1);
    const [xid = "", id = "", since = ""] = Buffer.from(cursor, "base64url").toString().split(" ");
    const parts = Object.values(changed({ xid, id, since: Number(since) }));
    const after = Buffer.from(parts.join(" ")).toString("base64url");
    const { status, body } = await shop.client.get(`/v1/orders/events?after=${after}`);
    expect([status, body.error?.code]).toEqual([410, "cursor_expired"]);
  });

  test.each(["", "x", "Now", "%00", Buffer.from("1 2").toString("base64url"), "9".repeat(100)])(
    "is 422 if the feed did not make it: %p",
    async (after) => {
      const { client } = await orders.openShop();
      const { status, body } = await client.get(`/v1/orders/events?after=${after}`);
      expect([status, body.error.details[0].path]).toEqual([422, "after"]);
    },
  );

  test.each(["18446744073709551616 1 1", "1 9223372036854775808 1", "-1 1 1", "1 1 1 0"])(
    "is 422 with numbers that the database cannot hold: %s",
    async (numbers) => {
      const { client } = await orders.openShop();
      const after = Buffer.from(numbers).toString("base64url");
      const { status } = await client.get(`/v1/orders/events?after=${after}`);
      expect(status).toBe(422);
    },
  );
});

test("a reader misses no event of a restored database, and gets them before new ones", async () => {
  const restored = await startTestOrders();
  const shop = await restored.openShop();
  const first = await placeOrder(shop);
  const { cursor } = await readEvents(shop.client, null, 1);
  const ids = [await placeOrder(shop), await placeOrder(shop)];
  const client = new pg.Client(restored.databaseUrl);
  await client.connect();
  await until("the relay to publish", async () => (await client.query("select from outbox")).rowCount === 0);
  // As after a restore on a server that has not counted as many transactions: those of the last events are to come.
  await client.query("update published_events set xid = '900000000000' where data->'order'->>'id' <> $1", [
    first,
  ]);
  const early = await follow(shop.client, cursor);
  expect(early.events).toEqual([]);
  const replica = await restored.startReplica();
  const after = shop.clientAt(replica.url);
  await until("the events to be adopted", async () => {
    return (await client.query("select from published_events where xid >= '900000000000'")).rowCount === 0;
  });
  const last = await placeOrder(shop);
  expect(orderIds((await readEvents(after, null, 4)).events)).toEqual([first, ...ids, last]);
  expect(orderIds((await readEvents(after, cursor, 3)).events)).toEqual([...ids, last]);
  expect(orderIds((await readEvents(after, early.cursor, 3)).events)).toEqual([...ids, last]);
  await client.end();
  await replica.stop();
  await restored.stop();
});

test("every field at fault is named", async () => {
  const { client } = await orders.openShop();
  const query = "after=x&types=order.lost,order.paid&limit=101&waitSeconds=26";
  const { status, body } = await client.get(`/v1/orders/events?${query}`);
  expect(status).toBe(422);
  expect(body.error.details.map(({ path }: { path: string }) => path).toSorted()).toEqual([
    "after",
    "limit",
    "types",
    "waitSeconds",
  ]);
});

describe("a request with waitSeconds", () => {
  test("gets an event that another replica commits", async () => {
    const shop = await orders.openShop();
    await placeOrder(shop);
    const { cursor } = await readEvents(shop.client, null, 1);
    const waiting = shop
      .clientAt(orders.urls[1] ?? "")
      .get(`/v1/orders/events?after=${cursor}&waitSeconds=25`);
    const id = await placeOrder(shop);
    expect(orderIds((await waiting).body.data)).toEqual([id]);
  });

  test("gets an event whose transaction was open when it began to wait", async () => {
    const { tenantId } = await orders.openShop();
    const replica = await orders.startReplica();
    const client = new pg.Client(orders.databaseUrl);
    await client.connect();
    // While it is open, it hides all later events of the server, also those of other tests.
    let waiting: Promise<ClientResponse>;
    try {
      await client.query("begin");
      await client.query(
        `insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
         values (gen_random_uuid(), gen_random_uuid(), 'order.placed', $1, 'request-1', '', $2, $3)`,
        [tenantId, ACTOR, PLACED],
      );
      waiting = orders.clientOf(tenantId, replica.url).get("/v1/orders/events?waitSeconds=25");
      await until("it to wait", async () => (await waitingAt(replica.url)) === 1);
      const began = (await queryAll("select clock_timestamp()::text as at")).rows[0].at;
      await until("a look at the database", async () => {
        const { rows } = await queryAll(
          `select from pg_stat_activity
            where datname = current_database() and application_name = 'orders.feed' and query_start > $1::timestamptz`,
          [began],
        );
        return rows.length > 0;
      });
      await client.query("commit");
    } finally {
      await client.end();
    }
    // Much later, it would be found by the last read, when the time is up.
    const woken = await Promise.race([waiting, sleep(12_000)]);
    expect(woken?.body.data).toHaveLength(1);
    await replica.stop();
  });

  test("returns at once what is there already", async () => {
    const shop = await orders.openShop();
    const id = await placeOrder(shop);
    await readEvents(shop.client, null, 1);
    const { body } = await shop.client.get("/v1/orders/events?waitSeconds=25");
    expect(orderIds(body.data)).toEqual([id]);
  });

  test("waits on through events of other types", async () => {
    const shop = await orders.openShop();
    const id = await placeOrder(shop);
    const { cursor } = await readEvents(shop.client, null, 1);
    const waiting = shop.client.get(`/v1/orders/events?after=${cursor}&types=order.fulfilled&waitSeconds=25`);
    await takeSteps(shop.client, id, ["succeeded"]);
    await takeSteps(shop.client, id, ["fulfill"]);
    const { body } = await waiting;
    expect(body.data.map(({ type }: FeedEvent) => type)).toEqual(["order.fulfilled"]);
    expect((await follow(shop.client, body.page.nextCursor)).events).toEqual([]);
  });

  test("returns an empty page with a cursor when the time is up", async () => {
    const shop = await orders.openShop();
    const { status, body } = await shop.client.get("/v1/orders/events?waitSeconds=1");
    expect([status, body.data, body.page.hasMore]).toEqual([200, [], false]);
    const id = await placeOrder(shop);
    expect(orderIds((await readEvents(shop.client, body.page.nextCursor, 1)).events)).toEqual([id]);
  });

  test("does not delay the stop of the service", async () => {
    const shop = await orders.openShop();
    const replica = await orders.startReplica();
    const waiting = shop.clientAt(replica.url).get("/v1/orders/events?waitSeconds=25");
    await until("it to wait", async () => (await waitingAt(replica.url)) === 1);
    await replica.stop();
    expect((await waiting).body.data).toEqual([]);
  });

  test("holds no database connection, and 200 tenants that wait at once each get their event", async () => {
    const tenantIds = Array.from({ length: 200 }, () => randomUUID());
    const replica = await orders.startReplica();
    const waiting = tenantIds.map((tenantId) =>
      orders.clientOf(tenantId, replica.url).get("/v1/orders/events?waitSeconds=25"),
    );
    await until("all of them to wait", async () => (await waitingAt(replica.url)) === tenantIds.length);
    const { rows } = await queryAll(
      "select from pg_stat_activity where datname = current_database() and application_name = 'orders' and state <> 'idle'",
    );
    expect(rows).toEqual([]);
    await commitEvents(tenantIds);
    const pages = await Promise.all(waiting);
    expect(pages.map(({ body }) => body.data.length)).toEqual(tenantIds.map(() => 1));
    expect(await waitingAt(replica.url)).toBe(0);
    await replica.stop();
  });

  test("goes on through the loss of all database connections", async () => {
    const replica = await orders.startReplica();
    const { tenantId } = await orders.openShop();
    const waiting = Array.from({ length: 50 }, () =>
      orders.clientOf(tenantId, replica.url).get("/v1/orders/events?waitSeconds=25"),
    );
    await until("all of them to wait", async () => (await waitingAt(replica.url)) === waiting.length);
    await queryAll(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    await commitEvents([tenantId]);
    const pages = await Promise.all(waiting);
    expect(pages.map(({ status, body }) => [status, body.data?.length])).toEqual(pages.map(() => [200, 1]));
    await replica.stop();
  });

  test("stops waiting when its client has gone", async () => {
    const replica = await orders.startReplica();
    const gone = new AbortController();
    const { tenantId } = await orders.openShop();
    const client = orders.clientOf(tenantId, replica.url);
    const { signal } = gone;
    const request = client.send("GET", "/v1/orders/events?waitSeconds=25", { signal }).catch(() => "gone");
    await until("it to wait", async () => (await waitingAt(replica.url)) === 1);
    gone.abort();
    await until("it to have gone", async () => (await waitingAt(replica.url)) === 0);
    expect(await request).toBe("gone");
    await replica.stop();
  });
});

/** How many requests wait at a replica, by its metrics. */
async function waitingAt(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^feed_requests_waiting\S* (\d+)$/m.exec(metrics)?.[1]);
}

interface Parts {
  xid: string;
  id: string;
  since: number;
}

const daysAgo = (days: number) => Date.now() - days * 86_400_000;

const ACTOR = JSON.stringify({ type: "user", id: "0198c5a1-0000-7000-8000-000000000001", name: "Ann" });
const PLACED = JSON.stringify(eventData["order.placed"]?.example);

/** Commits one event for each of the tenants. */
async function commitEvents(tenantIds: readonly string[]): Promise<void> {
  await queryAll(
    `insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data)
     select gen_random_uuid(), gen_random_uuid(), 'order.placed', tenant_id, 'request-1', '', $2, $3
       from unnest($1::uuid[]) as tenant_id`,
    [tenantIds, ACTOR, PLACED],
  );
}

async function queryAll(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client(orders.databaseUrl);
  await client.connect();
  try {
    return await client.query(text, values);
  } finally {
    await client.end();
  }
}
