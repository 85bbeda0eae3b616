import { randomUUID } from "node:crypto";
import { subscribableTypes } from "@tradepost/event-catalog";
import { readPages } from "@tradepost/testing";
import { Ajv2020 } from "ajv/dist/2020.js";
import { useWebhooks } from "./support/use-webhooks.ts";
import { faultsOf } from "./support/webhooks.ts";

const PATH = "/v1/webhooks/subscriptions";
const VALID = { name: "Search index", url: "https://hooks.example.com/in?x=1", events: ["redirect.added"] };

const { webhooks, receiver, tenant } = useWebhooks();

const create = async (overrides: Record<string, unknown> = {}) =>
  await tenant.owner().post(PATH, { ...VALID, ...overrides });

test("may have all ten types, and show their secret in the response to their creation only", async () => {
  const { status, headers, body } = await create({ events: subscribableTypes });
  expect([status, headers.get("location"), headers.get("cache-control"), headers.get("etag")]).toEqual([
    ...[201, `${PATH}/${body.data.id}`, "no-store", '"1"'],
  ]);
  const { signingSecret, ...shown } = body.data;
  expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(shown).toEqual({
    ...VALID,
    events: subscribableTypes,
    id: expect.any(String),
    active: true,
    headers: {},
    version: 1,
    previousSecretUntil: null,
    health: {
      status: "healthy",
      consecutiveFailures: 0,
      lastSuccessAt: null,
      lastFailureAt: null,
      lastError: null,
      ...{ downSince: null, heldUntil: null, waiting: 0 },
    },
    inactiveEvents: [],
    ...{ filter: null, payload: "full", maxPerSecond: null, maxInFlight: null, payloadVersion: 1 },
    createdAt: expect.any(String),
  });
  const preview = { ...shown, signingSecretPreview: signingSecret.slice(0, 8) };
  expect(await tenant.subscription(body.data.id)).toEqual(preview);
  expect((await tenant.owner().get(PATH)).body.data).toEqual([preview]);
  const changed = await tenant.change(body.data.id, { name: "New" });
  expect(changed.body.data).toEqual({ ...preview, name: "New", version: 2 });
});

test("do not store their secret in the database as text", async () => {
  const { id, signingSecret } = (await create()).body.data;
  const key = signingSecret.slice("whsec_".length);
  expect(await webhooks.find(id)).not.toEqual([]);
  expect(await webhooks.find(signingSecret, key, Buffer.from(key, "base64").toString("hex"))).toEqual([]);
});

test("are limited to 50 for each tenant, also if they are created at the same time", async () => {
  const responses = await Promise.all(Array.from({ length: 55 }, () => create()));
  const statuses = Map.groupBy(responses, ({ status }) => status);
  expect([statuses.get(201)?.length, statuses.get(409)?.length]).toEqual([50, 5]);
  expect(statuses.get(409)?.[0]?.body.error.code).toBe("subscription_limit");
  expect((await webhooks.tenant().owner().post(PATH, VALID)).status).toBe(201);
  await tenant.unsubscribe(statuses.get(201)?.[0]?.body.data.id);
  expect((await create()).status).toBe(201);
});

test.each([
  ["an empty name", { name: " " }, "name"],
  ["a long name", { name: "x".repeat(201) }, "name"],
  ["active", { active: false }, "active"],
  ["an empty list of events", { events: [] }, "events"],
  ["an unknown event", { events: ["redirect.added", "redirect.moved"] }, "events[1]"],
  ["an event of the platform's own", { events: ["order.placed"] }, "events[0]"],
  ["an event twice", { events: ["redirect.added", "redirect.added"] }, "events"],
  ["a pattern of events", { events: ["redirect.*"] }, "events[0]"],
  ["a number as an event", { events: [7] }, "events[0]"],
  ["an event without a list", { events: "redirect.added" }, "events"],
  ["no events", { events: undefined }, "events"],
])("are not created with %s", async (_, overrides: Record<string, unknown>, path) => {
  expect(faultsOf(await create(overrides))).toEqual([422, path]);
});

test.each([
  ["order.placed", "orders have a change feed: /v1/orders/events"],
  ["order.*", "orders have a change feed: /v1/orders/events"],
  ["customer.created", "customers have a change feed: /v1/customers/events"],
])("says where %s is found", async (type, hint) => {
  const { body } = await create({ events: [type] });
  expect(body.error.details).toEqual([{ path: "events[0]", message: expect.stringContaining(hint) }]);
});

test.each([
  ["an id", { id: randomUUID() }, "id"],
  ["active as text", { active: "yes" }, "active"],
  ["a null name", { name: null }, "name"],
  ["a private URL", { url: "https://10.0.0.1/" }, "url"],
  ["events that cannot be subscribed to", { events: ["order.placed"] }, "events[0]"],
])("refuses a change with %s and changes nothing", async (_, change, path) => {
  const { id } = (await create()).body.data;
  const before = await tenant.subscription(id);
  expect(faultsOf(await tenant.change(id, { name: "Other", ...change }))).toEqual([422, path]);
  expect(await tenant.subscription(id)).toEqual(before);
});

test("the types of events can be listed, each with its description, schema and example", async () => {
  const viewer = webhooks.as({ role: "viewer" });
  const { status, body } = await viewer.get("/v1/webhooks/event-types");
  expect([status, body.success, body.page]).toEqual([200, true, { nextCursor: null }]);
  const types = body.data as { type: string; description: string; schema: object; example: object }[];
  expect(types.map(({ type }) => type)).toEqual(subscribableTypes);
  expect(types).toHaveLength(10);
  for (const { type, description, schema, example } of types) {
    expect(description).toMatch(/\S/);
    // Ajv has no formats of its own. The schemas contain patterns with the same meaning.
    const isValid = new Ajv2020({ validateFormats: false }).compile(schema);
    expect([type, isValid(example), isValid.errors]).toEqual([type, true, null]);
    const [resource = ""] = Object.keys(example);
    for (const without of [{}, { [resource]: {} }]) expect([type, isValid(without)]).toEqual([type, false]);
  }
});

describe("the version of a subscription", () => {
  let id: string;

  beforeEach(async () => {
    ({ id } = await tenant.subscribe("/hook"));
  });

  const path = () => `${PATH}/${id}`;
  const read = (headers: Record<string, string> = {}) => tenant.owner().get(path(), headers);
  const versionOf = async () => (await read()).body.data.version;
  const audited = async () => (await webhooks.auditEntries(tenant.tenantId, id)).length;

  test("is 1 at first, moves with every change and every rotation, and the responses show it", async () => {
    const url = `${receiver.url}/other`;
    const changes = [{ name: "Other" }, { url }, { events: ["media.uploaded"] }, { active: false }];
    let version = 1;
    for (const change of [...changes, { headers: { "X-Key": "1" } }, { active: true, name: "Both" }]) {
      version += 1;
      const { headers, body } = await tenant.change(id, change);
      expect([headers.get("etag"), body.data.version]).toEqual([`"${version}"`, version]);
    }
    const rotated = await tenant.act(id, "rotate-secret");
    expect([rotated.headers.get("etag"), rotated.body.data.version]).toEqual(['"8"', 8]);
    expect(await versionOf()).toBe(8);
  });

  test("does not move without a change, which has no audit entry either", async () => {
    const { name, url, events, active } = (await read()).body.data;
    for (const change of [{}, { name }, { name, url, events, active, headers: {} }, { headers: null }]) {
      const { status, headers } = await tenant.change(id, change);
      expect([status, headers.get("etag")]).toEqual([200, '"1"']);
    }
    expect(await audited()).toBe(1);
    await tenant.change(id, { name: "Other", url, events });
    expect((await webhooks.auditEntries(tenant.tenantId, id)).at(-1)?.data).toEqual({
      target: { type: "webhook_subscription", id },
      changes: { name: "Other" },
    });
  });

  test("does not move with deliveries and tests, whose health GET shows whatever If-None-Match says", async () => {
    await tenant.act(id, "test");
    await tenant.untilDelivery(id, "delivered");
    const found = await read({ "if-none-match": '"1"' });
    expect([found.status, found.headers.get("etag"), found.body.data.version]).toEqual([200, '"1"', 1]);
    expect(found.body.data.health.lastSuccessAt).not.toBeNull();
  });

  test("lets one of two changes at the same time win", async () => {
    const change = (name: string) => tenant.owner().patch(path(), { name }, { "if-match": '"1"' });
    const statuses = (await Promise.all([change("A"), change("B")])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 412]);
    expect(await versionOf()).toBe(2);
  });
});

test("are listed newest first, page by page: all, the active or the paused ones", async () => {
  const [first, second] = [await tenant.subscribe("/1"), await tenant.subscribe("/2")];
  const third = await tenant.subscribe("/3");
  await tenant.setActive(second.id, false);
  const ids = async (query: string) =>
    (await tenant.owner().get(`${PATH}${query}`)).body.data.map((one: { id: string }) => one.id);
  expect(await ids("?active=true")).toEqual([third.id, first.id]);
  expect(await ids("?active=false")).toEqual([second.id]);
  const pages = await readPages(tenant.owner(), `${PATH}?limit=1`);
  expect(pages.map((page) => page.map(({ id }) => id))).toEqual([[third.id], [second.id], [first.id]]);
  expect(faultsOf(await tenant.owner().get(`${PATH}?active=yes`))).toEqual([422, "active"]);
  const page = await tenant.owner().get(`${PATH}?active=true&limit=1`);
  expect(await ids(`?active=true&limit=1&cursor=${page.body.page.nextCursor}`)).toEqual([first.id]);
});
