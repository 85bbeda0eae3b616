// Subscriptions that want only some events of their types, or only what identifies the resource (interface §18, §24).
import { newId } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { exampleData } from "./support/example-data.ts";
import { useWebhooks } from "./support/use-webhooks.ts";
import { faultsOf } from "./support/webhooks.ts";

const PATH = "/v1/webhooks/subscriptions";

const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "20ms,1h" });

const subscribe = async (filter: unknown, events = ["content.entry.updated", "media.uploaded"]) => {
  const { status, body } = await tenant
    .owner()
    .post(PATH, { name: "Search", url: `${receiver.url}/hook`, events, filter });
  return { status, ...body.data, error: body.error };
};

const entryUpdated = (slug: string, more: object = {}, locale = "en") => {
  const data = exampleData("content.entry.updated", { id: newId(), slug, locale, version: 3 });
  return tenant.emitAndStore({}, { id: newId(), type: "content.entry.updated", data: { ...data, ...more } });
};

const event = (id: string) => tenant.get(`events/${id}`);

const headersSent = () => receiver.received.map(({ headers }) => headers);

test("are sent what matches the old or the new value, and the log says what was filtered, and by which field", async () => {
  const { id } = await subscribe({ slugPrefix: ["news/"], locale: ["en", "de"] });
  const left = await entryUpdated("archive/a", { changedFields: ["slug"], previousSlug: "news/a" });
  const elsewhere = await entryUpdated("pages/b", {}, "fr");
  const data = exampleData("media.uploaded", { id: newId() });
  const media = await tenant.emitAndStore({}, { type: "media.uploaded", data });
  await until("both deliveries", () => receiver.received.length === 2);
  expect(receiver.sent("x-service-event-id").sort()).toEqual([left, media].sort());
  expect((await event(elsewhere)).subscriptions).toEqual([
    {
      ...{ subscriptionId: id, name: "Search", matched: false, deliveryId: null },
      ...{ reason: "filtered", filteredBy: ["locale", "slugPrefix"] },
    },
  ]);
  expect((await event(left)).subscriptions).toMatchObject([
    { matched: true, reason: null, filteredBy: null },
  ]);
  const changed = await tenant.change(id, { filter: null });
  expect(changed.body.data).toMatchObject({ filter: null, version: 2 });
  expect((await event(elsewhere)).subscriptions).toMatchObject([{ reason: "filtered" }]);
});

test("name the resource and its version in each request, a test's too", async () => {
  const { id } = await subscribe(null);
  await tenant.subscribe("/redirects", ["redirect.removed"]);
  await entryUpdated("a");
  await tenant.act(id, "test", { type: "media.uploaded" });
  const redirectId = newId();
  const data = exampleData("redirect.removed", { id: redirectId, version: 2 });
  await tenant.emit({}, { type: "redirect.removed", data });
  await until("all deliveries", () => receiver.received.length === 3);
  const sent = headersSent().find((headers) => headers["x-service-event"] === "redirect.removed");
  expect([sent?.["x-service-resource"], sent?.["x-service-resource-version"]]).toEqual([
    ...[`redirect/${redirectId}`, "2"],
  ]);
  const shown = await Promise.all(
    headersSent().map(async (headers) => {
      const deliveryId = String(headers["x-service-delivery"]);
      // The log has the request once the attempt has ended.
      const request = await until("the request", async () => (await tenant.delivery(deliveryId)).request);
      const { "X-service-Resource": resource, "X-service-Resource-Version": version } = request.headers;
      expect([headers["x-service-resource"], headers["x-service-resource-version"]]).toEqual([
        resource,
        version,
      ]);
      return `${resource.split("/")[0]} ${version}`;
    }),
  );
  expect(shown.sort()).toEqual(["entry 3", "media undefined", "redirect 2"]);
});

test("have their filter replaced as a whole; the same filter changes nothing", async () => {
  const { id, filter, version, payloadVersion } = await subscribe({ locale: ["en"], entryType: ["page"] });
  expect({ filter, version, payloadVersion }).toEqual({
    filter: { locale: ["en"], entryType: ["page"] },
    ...{ version: 1, payloadVersion: 1 },
  });
  const change = async (wanted: unknown) => (await tenant.change(id, { filter: wanted })).body.data;
  expect(await change({ entryType: ["page"], locale: ["en"] })).toMatchObject({ version: 1 });
  const images = { mediaType: ["image/"] };
  expect(await change(images)).toMatchObject({ filter: images, version: 2 });
  expect((await tenant.subscription(id)).filter).toEqual({ mediaType: ["image/"] });
});

test("refuse a filter that says nothing and an unknown payload, naming every field at fault; listeners take none", async () => {
  const { status, error } = await subscribe({ locale: [], slugPrefix: "a", language: ["en"] });
  const fields = ["filter.language", "filter.locale", "filter.slugPrefix"];
  expect(faultsOf({ status, body: { error } })).toEqual([422, ...fields]);
  expect((await subscribe({})).error.details).toEqual([{ path: "filter", message: "must have a field" }]);
  const tiny = { name: "A", url: receiver.url, events: ["redirect.added"], payload: "tiny" };
  expect((await tenant.owner().post(PATH, tiny)).body.error.details).toEqual([
    { path: "payload", message: "must be one of full, thin" },
  ]);
  const listener = { name: "CI", events: ["media.uploaded"], filter: { locale: ["en"] }, payload: "thin" };
  const refused = await tenant.owner().post("/v1/webhooks/listeners", listener);
  expect(faultsOf(refused)).toEqual([422, "filter", "payload"]);
});

test("can be tried on past events before they exist", async () => {
  for (const slug of ["news/a", "news/b", "pages/c"]) await entryUpdated(slug);
  const viewer = webhooks.as({ tenantId: tenant.tenantId, role: "viewer" });
  const preview = async (body: object) => await viewer.post(`${PATH}/filter-preview`, body);
  const events = ["content.entry.updated"];
  const { status, body } = await preview({ events, filter: { slugPrefix: ["news/"] } });
  expect([status, body.data]).toEqual([
    200,
    {
      ...{ examined: 3, matched: 2 },
      examples: Array(2).fill({
        ...{ id: expect.any(String), type: events[0], resourceId: expect.any(String) },
        occurredAt: expect.any(String),
      }),
    },
  ]);
  const none = await preview({ events: ["media.uploaded"], filter: null });
  expect(none.body.data).toEqual({ examined: 3, matched: 0, examples: [] });
  expect((await preview({ events, filter: {} })).status).toBe(422);
});

test("are tried one at a time, for at most 2 s; other tenants' go on", async () => {
  await using lock = await webhooks.begin("lock table events in access exclusive mode");
  const preview = async () =>
    (await tenant.owner().post(`${PATH}/filter-preview`, { events: ["media.uploaded"] })).status;
  const first = Promise.race([preview(), preview(), preview()]);
  let waitingMax = 0;
  let status: number | undefined;
  void first.then((one) => {
    status = one;
  });
  const text = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%from (select * from events%'`;
  await until("the end of the first", async () => {
    waitingMax = Math.max(waitingMax, (await webhooks.query(text)).length);
    return status;
  });
  await lock.commit();
  expect(status).toBe(503);
  expect(waitingMax).toBeLessThanOrEqual(1);
  expect(await preview()).toBe(200);
});

test("are tried on the newest 1,000 events, with at most 10 examples", async () => {
  const insert = `insert into events (tenant_id, id, type, occurred_at, request_id, data)
    select $1, ('00000000-0000-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid,
           case number when 1 then 'media.uploaded' else 'redirect.added' end, now(), 'r', '{}'
      from generate_series(1, 1001) as number`;
  await webhooks.query(insert, tenant.tenantId);
  const preview = async (type: string) =>
    (await tenant.owner().post(`${PATH}/filter-preview`, { events: [type] })).body.data;
  expect(await preview("media.uploaded")).toEqual({ examined: 1_000, matched: 0, examples: [] });
  const { examined, matched, examples } = await preview("redirect.added");
  expect({ examined, matched }).toEqual({ examined: 1_000, matched: 1_000 });
  expect(examples.map(({ id }: { id: string }) => Number(`0x${id.slice(-12)}`))).toEqual(
    Array.from({ length: 10 }, (_, index) => 1_001 - index),
  );
});

test("change by member with a JSON merge patch", async () => {
  const { id } = await subscribe({ slugPrefix: ["news/"], locale: ["en"] });
  const merge = async (filter: object) => {
    const type = { "content-type": "application/merge-patch+json" };
    const response = await tenant.owner().patch(`${PATH}/${id}`, { filter }, type);
    return response.body.data?.filter ?? response.status;
  };
  expect(await merge({ locale: ["de"] })).toEqual({ slugPrefix: ["news/"], locale: ["de"] });
  expect(await merge({ locale: null })).toEqual({ slugPrefix: ["news/"] });
  expect(await merge({ colour: "red" })).toBe(422);
});

const subscribeTo = async (payload: string) =>
  (await tenant.subscribe("/hook", ["content.entry.updated", "redirect.added"], { payload })).id;
const sent = () => receiver.bodies().map(({ data }) => data);
const untilSent = (count: number) =>
  until(`${count} requests`, () => receiver.received.length === count && sent().at(-1));
const isThin = (data: object) => !JSON.stringify(data).includes("createdAt");

test("get thin data, as a delivery shows it, beside those that get all of it", async () => {
  const [thin] = [await subscribeTo("thin"), await subscribeTo("full")];
  await entryUpdated("a");
  await untilSent(2);
  const [data, full] = sent().toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length);
  const { id, type, slug, locale, status, version } = full.entry;
  expect(data).toEqual({
    entry: { id, type, slug, locale, status, version },
    changedFields: ["title", "slug"],
  });
  expect(full.previousSlug).toBe("autumn");
  const delivery = await tenant.untilDelivery(thin, "delivered");
  expect(JSON.parse(delivery.request.body).data).toEqual(data);
  expect(delivery.attempts[0]).not.toHaveProperty("isThin");
});

test("get what is made after a change in its form; retries keep theirs, redeliveries and replays have that of today", async () => {
  receiver.behave(({ headers }) => (headers["x-service-attempt"] === "1" ? 500 : 200));
  const id = await subscribeTo("thin");
  await tenant.setActive(id, false);
  await entryUpdated("a");
  const paused = await tenant.untilDelivery(id, "paused");
  const { body } = await tenant.change(id, { payload: "full" });
  expect(body.data).toMatchObject({ payload: "full", version: 3 });
  await tenant.setActive(id, true);
  await untilSent(2);
  expect(sent().map(isThin)).toEqual([true, true]);
  await tenant.untilDelivery(id, "delivered");
  receiver.behave(() => 200);
  await tenant.redeliver(paused.id);
  expect(isThin(await untilSent(3))).toBe(false);
  const { request } = await tenant.untilAttempts(paused.id, 3);
  expect(isThin(JSON.parse(request.body))).toBe(false);
  await tenant.change(id, { payload: "thin" });
  await tenant.replay(id, "all");
  expect(isThin(await untilSent(4))).toBe(true);
});

test("of a subscription that is younger than an event get its replay, and examples say that they are", async () => {
  await entryUpdated("a");
  const id = await subscribeTo("thin");
  await tenant.replay(id, "missing");
  expect(isThin(await untilSent(1))).toBe(true);
  await tenant.act(id, "test", { type: "redirect.added" });
  expect(await untilSent(2)).toEqual({
    redirect: { id: expect.any(String), from: "/old-shop", version: 1 },
    test: true,
  });
});
