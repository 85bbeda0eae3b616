// A request with `waitSeconds` gets the first new event, and holds no database connection until then (interface §10).
import { createLogger, createMetrics } from "@tradepost/runtime";
import { type ApiClient, readMetrics, until } from "@tradepost/testing";
import { watchCommits } from "../src/watch-commits.ts";
import { follow, idsOf, openReader, readEvents } from "./support/follow-feed.ts";
import { startTestFeed } from "./support/test-feed.ts";

const feed = await startTestFeed();

afterAll(() => feed.stop());

const wait = (client: ApiClient, query = "") => client.get(`/v1/events?waitSeconds=25${query}`);

const untilWaiting = (url: string, count: number) =>
  until(`${count} waiting requests`, async () => (await readMetrics(url))("feed_requests_waiting") === count);

test("waits on through events of other types, until one of its types is committed", async () => {
  const { tenantId, client, cursor } = await openReader(feed);
  const waiting = wait(client, `&after=${cursor}&types=note.removed`);
  await untilWaiting(feed.url, 1);
  await feed.commit(tenantId, [{ type: "note.changed" }]);
  await readEvents(client, cursor, 1);
  const ids = await feed.commit(tenantId, [{ type: "note.removed" }]);
  const { body } = await waiting;
  expect(idsOf(body.data)).toEqual(ids);
  expect((await follow(client, body.page.nextCursor)).events).toEqual([]);
});

test("returns an empty page with a cursor when the time is up", async () => {
  const { tenantId, client } = feed.openTenant();
  const { status, body } = await client.get("/v1/events?waitSeconds=1");
  expect([status, body.data, body.page.hasMore]).toEqual([200, [], false]);
  const ids = await feed.commit(tenantId);
  expect(idsOf((await readEvents(client, body.page.nextCursor, 1)).events)).toEqual(ids);
});

test("holds no database connection, and 200 tenants that wait at once each get their event", async () => {
  const tenants = Array.from({ length: 200 }, () => feed.openTenant());
  await using replica = await feed.startReplica();
  const waiting = tenants.map(({ clientAt }) => wait(clientAt(replica.url)));
  await untilWaiting(replica.url, tenants.length);
  await until("no connection to read pages", async () => {
    const { rowCount } = await feed.query(
      `select from pg_stat_activity
        where datname = current_database() and application_name = 'test.feed-pages' and state <> 'idle'`,
    );
    return rowCount === 0;
  });
  const ids = await Promise.all(tenants.map(({ tenantId }) => feed.commit(tenantId)));
  const pages = await Promise.all(waiting);
  expect(pages.map(({ body }) => idsOf(body.data))).toEqual(ids);
  expect((await readMetrics(replica.url))("feed_requests_waiting")).toBe(0);
});

test("goes on through the loss of all database connections", async () => {
  await using replica = await feed.startReplica();
  const { tenantId, clientAt } = feed.openTenant();
  const waiting = Array.from({ length: 50 }, () => wait(clientAt(replica.url)));
  await untilWaiting(replica.url, waiting.length);
  await feed.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await feed.commit(tenantId);
  const pages = await Promise.all(waiting);
  expect(pages.map(({ status, body }) => [status, body.data?.length])).toEqual(pages.map(() => [200, 1]));
});

test("stops waiting when its client has gone", async () => {
  await using replica = await feed.startReplica();
  const gone = new AbortController();
  const client = feed.openTenant().clientAt(replica.url);
  const { signal } = gone;
  const request = client.send("GET", "/v1/events?waitSeconds=25", { signal }).catch(() => "gone");
  await untilWaiting(replica.url, 1);
  gone.abort();
  await untilWaiting(replica.url, 0);
  expect(await request).toBe("gone");
});

test("does not delay the stop of the server", async () => {
  const replica = await feed.startReplica();
  const waiting = wait(feed.openTenant().clientAt(replica.url));
  await untilWaiting(replica.url, 1);
  await replica.stop();
  expect((await waiting).body.data).toEqual([]);
});

test("is woken by an event whose transaction was open when it began to wait", async () => {
  const [{ tenantId }, other] = [feed.openTenant(), feed.openTenant()];
  const open = await feed.openTransaction();
  await open.insert(tenantId);
  const commits = watchCommits({
    ...{ url: feed.databaseUrl, role: feed.watchRole, name: "test.watch" },
    ...{ metrics: createMetrics("test"), logger: createLogger("test", "silent") },
  });
  const waiter = commits.watch(tenantId);
  // The first poll wakes every waiter.
  await waiter.next();
  const woken = waiter.next();
  await feed.commit(other.tenantId);
  await open.commit();
  // Later polls wake only the tenants whose events they find. If this tenant's event were missed, the waiter would wait forever.
  expect(await woken).toBeGreaterThan(1);
  waiter.stop();
  await commits.stop();
});
