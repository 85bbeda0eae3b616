// A feed lists every event of its tenant once, in an order in which a reader misses nothing (interface §10).
import { faultPaths } from "@tradepost/testing";
import { decodeFeedCursor, encodeFeedCursor, type FeedCursor } from "../src/feed-cursor.ts";
import { type FeedEvent, follow, idsOf, openReader, readEvents } from "./support/follow-feed.ts";
import { KEEP_DAYS, startTestFeed } from "./support/test-feed.ts";

const feed = await startTestFeed();

afterAll(() => feed.stop());

describe("a transaction that commits late", () => {
  test("is not missed by a reader who has read past its time", async () => {
    const { tenantId, client, cursor } = await openReader(feed);
    const late = await feed.openTransaction();
    const [early] = await feed.commit(tenantId);
    const [lateId] = await late.insert(tenantId);
    const first = await follow(client, cursor);
    await late.commit();
    const second = await readEvents(client, first.cursor, 2 - first.events.length);
    expect(idsOf([...first.events, ...second.events]).toSorted()).toEqual([early, lateId].toSorted());
  });

  test("hides the events of later transactions until it commits", async () => {
    const { tenantId, client } = feed.openTenant();
    const open = await feed.openTransaction();
    const ids = await feed.commit(tenantId);
    expect((await follow(client, null)).events).toEqual([]);
    await open.commit();
    expect(idsOf((await readEvents(client, null, 1)).events)).toEqual(ids);
  });
});

test("a reader sees each event once while transactions commit out of order and their events are published", async () => {
  const { tenantId, client } = feed.openTenant();
  let isWriting = true;
  const seen: FeedEvent[] = [];
  const reading = (async () => {
    let cursor: string | null = null;
    for (let isLast = false; !isLast; ) {
      isLast = !isWriting;
      const page: Awaited<ReturnType<typeof follow>> = isLast
        ? await readEvents(client, cursor, 100 - seen.length)
        : await follow(client, cursor);
      seen.push(...page.events);
      cursor = page.cursor;
    }
  })();
  const written: string[] = [];
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let count = 0; count < 5; count += 1) {
      const transaction = await feed.openTransaction();
      for (let event = 0; event <= writer; event += 1) written.push(...(await transaction.insert(tenantId)));
      written.push(...(await feed.commit(tenantId, Array(writer === 0 ? 10 : 0).fill({}))));
      await transaction.commit();
      await feed.publish();
    }
  });
  await Promise.all(writers);
  isWriting = false;
  await reading;
  expect(written).toHaveLength(100);
  expect(idsOf(seen).toSorted()).toEqual(written.toSorted());
});

describe("a page", () => {
  test("has the events as they were committed, with data as it is stored", async () => {
    const { tenantId, client } = feed.openTenant();
    const stored = '{"price": 19.990000000000000000001, "id": 12345678901234567890, "b":1,"a":2}';
    const occurredAt = "2026-01-02T03:04:05.678Z";
    const [id] = await feed.commit(tenantId, [{ type: "note.changed", data: stored, occurredAt }, {}]);
    await readEvents(client, null, 2);
    const { body, headers, text } = await client.get("/v1/events");
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body.data[0]).toEqual({
      id,
      type: "note.changed",
      occurredAt,
      requestId: "request-1",
      data: JSON.parse(stored),
      actor: { type: "user", id: "u-1", name: "Ada" },
    });
    expect(text).toContain(`"data":${stored}}`);
  });

  test("has at most `limit` events, and says whether there are more", async () => {
    const { tenantId, client } = feed.openTenant();
    const ids = await feed.commit(tenantId, [{}, {}, {}]);
    await readEvents(client, null, 3);
    const first = await client.get("/v1/events?limit=2");
    expect([idsOf(first.body.data), first.body.page.hasMore]).toEqual([ids.slice(0, 2), true]);
    const second = await client.get(`/v1/events?limit=2&after=${first.body.page.nextCursor}`);
    expect([idsOf(second.body.data), second.body.page.hasMore]).toEqual([ids.slice(2), false]);
    const third = await client.get(`/v1/events?after=${second.body.page.nextCursor}`);
    const page = { nextCursor: expect.any(String), hasMore: false };
    expect([third.body.data, third.body.page]).toEqual([[], page]);
  });

  test("has at most 1 MiB of data, or one event", async () => {
    const { tenantId, client } = feed.openTenant();
    const sizes = [700_000, 2_000_000, 700_000, 100_000, 100_000];
    const events = sizes.map((size) => ({ data: JSON.stringify("x".repeat(size)) }));
    await feed.commit(tenantId, events);
    const pages: number[] = [];
    for (let cursor: string | null = null, hasMore = true; hasMore || pages.length === 0; ) {
      const from = cursor === null ? "" : `&after=${cursor}`;
      const { body } = await client.get(`/v1/events?waitSeconds=25${from}`);
      pages.push(body.data.length);
      ({ nextCursor: cursor, hasMore } = body.page);
    }
    expect(pages).toEqual([1, 1, 3]);
  });

  test("has the wanted types only", async () => {
    const { tenantId, client } = feed.openTenant();
    const three = ["note.added", "note.changed", "note.removed"].map((type) => ({ type }));
    await feed.commit(tenantId, three);
    await readEvents(client, null, 3);
    const { events, cursor } = await follow(client, null, "&types=note.removed,note.added");
    expect(events.map(({ type }) => type)).toEqual(["note.added", "note.removed"]);
    expect((await follow(client, cursor)).events).toEqual([]);
  });

  test("has no event of another tenant, also with that tenant's cursor", async () => {
    const { tenantId, client, cursor } = await openReader(feed);
    const other = feed.openTenant();
    const ids = await feed.commit(other.tenantId);
    await feed.commit(tenantId);
    await readEvents(client, cursor, 1);
    expect(idsOf((await follow(other.client, null)).events)).toEqual(ids);
    expect(idsOf((await follow(other.client, cursor)).events)).toEqual(ids);
  });

  test("starts at the end with after=now", async () => {
    const { tenantId, client } = feed.openTenant();
    const empty = await follow(client, "now");
    const first = await feed.commit(tenantId);
    expect(idsOf((await readEvents(client, empty.cursor, 1)).events)).toEqual(first);
    const { events, cursor } = await follow(client, "now");
    expect(events).toEqual([]);
    const second = await feed.commit(tenantId);
    expect(idsOf((await readEvents(client, cursor, 1)).events)).toEqual(second);
  });
});

describe("a cursor", () => {
  const decoded = (cursor: string): FeedCursor => {
    const parts = decodeFeedCursor(cursor);
    if (parts === null) throw new Error(`not a cursor: ${cursor}`);
    return parts;
  };
  const PUBLISHED_AT =
    "select floor(extract(epoch from published_at) * 1000) as at from published_events where event_id = $1";
  const daysAgo = (days: number) => Date.now() - days * 86_400_000;

  test.each(["now", null])(
    "from the end is as new as the visit, however quiet the tenant is: %p",
    async (after) => {
      const { client } = feed.openTenant();
      const { rows } = await feed.query("select floor(extract(epoch from clock_timestamp()) * 1000) as now");
      const { cursor } = await follow(client, after);
      expect(decoded(cursor).since).toBeGreaterThanOrEqual(Number(rows[0]?.now));
    },
  );

  test("does not pass a published event that an open transaction hides", async () => {
    const { tenantId, client } = feed.openTenant();
    const open = await feed.openTransaction();
    const ids = await feed.commit(tenantId);
    await feed.publish();
    const { cursor } = await follow(client, "now");
    const { rows } = await feed.query(PUBLISHED_AT, ids);
    expect(decoded(cursor).since).toBeLessThanOrEqual(Number(rows[0]?.at));
    await open.commit();
    expect(idsOf((await readEvents(client, cursor, 1)).events)).toEqual(ids);
  });

  test("finds an event that is published after the database's clock was set back by hours", async () => {
    const { tenantId, client, cursor } = await openReader(feed);
    const ids = await feed.commit(tenantId);
    await feed.publish();
    await feed.query(
      "update published_events set published_at = published_at - interval '20 hours' where tenant_id = $1",
      [tenantId],
    );
    expect(idsOf((await readEvents(client, cursor, 1)).events)).toEqual(ids);
  });

  test("is not ahead of the database's clock, whatever the time of the event", async () => {
    const { client, cursor } = await openReader(feed, { occurredAt: new Date(daysAgo(-3)).toISOString() });
    expect((await follow(client, cursor)).events).toEqual([]);
  });

  test("goes on at another replica, and after its events were published", async () => {
    const { tenantId, clientAt, cursor } = await openReader(feed);
    const ids = await feed.commit(tenantId, [{}, {}]);
    await feed.publish();
    await using replica = await feed.startReplica();
    expect(idsOf((await readEvents(clientAt(replica.url), cursor, 2)).events)).toEqual(ids);
  });

  test.each<[string, () => Partial<FeedCursor>]>([
    ["older than events are kept", () => ({ since: daysAgo(KEEP_DAYS + 2) })],
    ["from before the oldest day", () => ({ since: daysAgo(3) })],
    ["more than a day ahead of the database's clock", () => ({ since: daysAgo(-2) })],
    ["ahead of the database", () => ({ xid: "999999999999" })],
  ])("is 410 if it is %s", async (_name, changes) => {
    const { client, cursor } = await openReader(feed);
    const after = encodeFeedCursor({ ...decoded(cursor), ...changes() });
    const { status, body } = await client.get(`/v1/events?after=${after}`);
    expect([status, body.error?.code]).toEqual([410, "cursor_expired"]);
  });
});

test("a reader misses no event of a restored database, and gets them before new ones", async () => {
  const restored = await startTestFeed();
  const { tenantId, client, clientAt, first, cursor } = await openReader(restored);
  const published = await restored.commit(tenantId, [{}, {}]);
  await restored.publish();
  const waiting = await restored.commit(tenantId);
  // After a restore on another server, the next transactions may have lower ids than the restored events.
  for (const table of ["published_events", "outbox"])
    await restored.query(`update ${table} set xid = '900000000000' where event_id <> $1`, first);
  const early = await follow(client, cursor);
  expect(early.events).toEqual([]);
  const replica = await restored.startReplica();
  const after = clientAt(replica.url);
  const kept = [...published, ...waiting];
  await readEvents(after, cursor, kept.length);
  const last = await restored.commit(tenantId);
  expect(idsOf((await readEvents(after, null, 5)).events)).toEqual([...first, ...kept, ...last]);
  expect(idsOf((await readEvents(after, cursor, 4)).events)).toEqual([...kept, ...last]);
  expect(idsOf((await readEvents(after, early.cursor, 4)).events)).toEqual([...kept, ...last]);
  await replica.stop();
  await restored.stop();
});

test("every field at fault is named", async () => {
  const { client } = feed.openTenant();
  const query = "after=x&types=note.lost,note.added&limit=101&waitSeconds=26";
  const response = await client.get(`/v1/events?${query}`);
  expect(response.status).toBe(422);
  expect(faultPaths(response)).toEqual(["after", "limit", "types", "waitSeconds"]);
});
