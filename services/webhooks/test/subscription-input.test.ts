// Validates the URL, the events and the other fields of a subscription, on creation and on every change.
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { subscribableTypes } from "@tradepost/event-catalog";
import { useWebhooks } from "./support/use-webhooks.ts";

const PATH = "/v1/webhooks/subscriptions";
const VALID = { name: "Search index", url: "https://hooks.example.com/in?x=1", events: ["redirect.added"] };

describe("the input of a subscription", () => {
  // As in production: only the public internet can be reached.
  const { tenant } = useWebhooks({ WEBHOOKS_EGRESS_ALLOW: "" });

  const create = async (overrides: Record<string, unknown> = {}) =>
    await tenant.owner().post(PATH, { ...VALID, ...overrides });
  const errorPaths = (body: { error: { code: string; details: { path: string }[] } }) => [
    body.error.code,
    ...body.error.details.map(({ path }) => path),
  ];

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
