// Validates the URL, the events and the other fields of a subscription, on creation and on every change.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { subscribableTypes } from "@tradepost/event-catalog";
import { startTestWebhooks, type TestTenant, type TestWebhooks } from "./support/webhooks.ts";

const PATH = "/v1/webhooks/subscriptions";
const VALID = { name: "Search index", url: "https://hooks.example.com/in?x=1", events: ["redirect.added"] };

describe("the input of a subscription", () => {
  let webhooks: TestWebhooks;
  let tenant: TestTenant;

  beforeAll(async () => {
    // As in production: only the public internet can be reached.
    webhooks = await startTestWebhooks({ WEBHOOKS_EGRESS_ALLOW: "" });
  });

  beforeEach(() => {
    tenant = webhooks.tenant();
  });

  afterAll(() => webhooks.stop());

  const create = async (overrides: Record<string, unknown> = {}) =>
    await tenant.owner().post(PATH, { ...VALID, ...overrides });
  const errorPaths = (body: { error: { code: string; details: { path: string }[] } }) => [
    body.error.code,
    ...body.error.details.map(({ path }) => path),
  ];

  test.each([
    ["has no scheme", "hooks.example.com/in"],
    ["is not a URL", "https://"],
    ["has no host", "https:///in"],
    ["has a backslash for a host", "https://\\\\hooks.example.com"],
    ["has no slashes", "https:hooks.example.com"],
    ["is http", "http://hooks.example.com"],
    ["is ftp", "ftp://hooks.example.com"],
    ["is a script", "javascript://hooks.example.com/%0aalert(1)"],
    ["has a user", "https://ada@hooks.example.com"],
    ["has a password", "https://ada:secret@hooks.example.com"],
    ["has a fragment", "https://hooks.example.com/#in"],
    ["has an empty fragment", "https://hooks.example.com/#"],
    ["has a blank", "https://hooks.example.com/a b"],
    ["has a line break", "https://hooks.example.com/\r\nx: y"],
    ["has an invalid port", "https://hooks.example.com:70000/"],
    ["is too long", `https://hooks.example.com/${"x".repeat(2_048 - 25)}`],
    ["is not a string", 7],
    ["is missing", undefined],
  ])("refuses a URL that %s", async (_, url) => {
    const { status, body } = await create({ url });
    expect([status, ...errorPaths(body)]).toEqual([422, "validation_error", "url"]);
  });

  test.each([
    ...[
      "localhost",
      "LOCALHOST:8443",
      "localhost.",
      "app.localhost",
      "127.0.0.1",
      "127.9.9.9",
      "2130706433",
      "0x7f.1",
      "017700000001",
    ],
    ...[
      "0.0.0.0",
      "10.0.0.1",
      "172.16.0.1",
      "192.168.1.1",
      "100.64.0.1",
      "169.254.169.254",
      "192.0.0.1",
      "192.0.2.1",
    ],
    ...["198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"],
    ...[
      "[::]",
      "[::1]",
      "[::127.0.0.1]",
      "[::ffff:127.0.0.1]",
      "[::ffff:8.8.8.8]",
      "[64:ff9b::7f00:1]",
      "[64:ff9b:1::1]",
    ],
    ...[
      "[2002:7f00:1::]",
      "[2001::1]",
      "[2001:db8::1]",
      "[100::1]",
      "[fc00::1]",
      "[fd00:ec2::254]",
      "[fe80::1]",
      "[fec0::1]",
    ],
    ...["[ff02::1]", "[3fff::1]", "[4000::1]", "[5f00::1]"],
  ])("refuses a URL with the host %s, which is not on the public internet", async (host) => {
    const { status, body } = await create({ url: `https://${host}/hooks` });
    expect([status, ...errorPaths(body)]).toEqual([422, "validation_error", "url"]);
  });

  test.each([
    "https://8.8.8.8/",
    "https://[2606:4700::1111]:8443/hooks",
    "HTTPS://Hooks.Example.com",
    "https://localhost.example.com/",
    "https://bücher.example/",
    `https://hooks.example.com/${"x".repeat(2_048 - 26)}`,
  ])("accepts a URL like %.50s and stores it unchanged", async (url) => {
    const { status, body } = await create({ url });
    expect([status, body.data?.url]).toEqual([201, url]);
  });

  test.each([
    ["nothing", [], "events"],
    ["an unknown one", ["redirect.added", "redirect.moved"], "events[1]"],
    ["one of the platform's own", ["order.placed"], "events[0]"],
    ["one twice", ["redirect.added", "redirect.added"], "events"],
    ["a pattern", ["redirect.*"], "events[0]"],
    ["a number", [7], "events[0]"],
    ["a type without a list", "redirect.added", "events"],
    ["undefined", undefined, "events"],
  ])("refuses events that are or contain %s", async (_, events, path) => {
    const { status, body } = await create({ events });
    expect([status, ...errorPaths(body)]).toEqual([422, "validation_error", path]);
  });

  test.each([
    ["order.placed", "orders have a change feed: /v1/orders/events"],
    ["order.*", "orders have a change feed: /v1/orders/events"],
    ["customer.created", "customers have a change feed: /v1/customers/events"],
  ])("says where %s is found", async (type, hint) => {
    const { body } = await create({ events: [type] });
    expect(body.error.details).toEqual([{ path: "events[0]", message: expect.stringContaining(hint) }]);
  });

  test("accepts all ten subscribable types together", async () => {
    const { status, body } = await create({ events: subscribableTypes });
    expect([status, body.data.events]).toEqual([201, subscribableTypes]);
  });

  test.each([
    ["an empty name", { name: " " }, "name"],
    ["a long name", { name: "x".repeat(201) }, "name"],
    ["an unknown field", { secret: "mine" }, "secret"],
    ["active", { active: false }, "active"],
  ])("refuses to create one with %s", async (_, overrides, path) => {
    const { status, body } = await create(overrides);
    expect([status, ...errorPaths(body)]).toEqual([422, "validation_error", path]);
  });

  test.each([
    ["an unknown field", { signingSecret: "whsec_mine" }, "signingSecret"],
    ["an id", { id: randomUUID() }, "id"],
    ["active as text", { active: "yes" }, "active"],
    ["a null name", { name: null }, "name"],
    ["a private URL", { url: "https://10.0.0.1/" }, "url"],
    ["events that cannot be subscribed to", { events: ["order.placed"] }, "events[0]"],
  ])("refuses a change with %s and changes nothing", async (_, change, path) => {
    const { id } = (await create()).body.data;
    const before = (await tenant.owner().get(`${PATH}/${id}`)).body;
    const { status, body } = await tenant.owner().patch(`${PATH}/${id}`, { name: "Other", ...change });
    expect([status, ...errorPaths(body)]).toEqual([422, "validation_error", path]);
    expect((await tenant.owner().get(`${PATH}/${id}`)).body).toEqual(before);
  });
});
