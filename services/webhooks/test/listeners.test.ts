import { useWebhooks } from "./support/use-webhooks.ts";
import { faultsOf } from "./support/webhooks.ts";

const PATH = "/v1/webhooks/listeners";
const EVENTS = ["redirect.added"];

const { tenant } = useWebhooks();
const create = async (body: Record<string, unknown> = {}) =>
  await tenant.owner().post(PATH, { name: "Laptop", events: EVENTS, ...body });

test("show their secret in the response to their creation only", async () => {
  const { status, headers, body } = await create({ expiresInHours: 2 });
  expect([status, headers.get("location"), headers.get("cache-control")]).toEqual([
    ...[201, `${PATH}/${body.data.id}`, "no-store"],
  ]);
  const { signingSecret, ...shown } = body.data;
  expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(shown).toEqual({
    id: expect.any(String),
    name: "Laptop",
    events: EVENTS,
    active: true,
    expiresInHours: 2,
    expiresAt: expect.any(String),
    createdAt: expect.any(String),
  });
  expect(Date.parse(shown.expiresAt) - Date.parse(shown.createdAt)).toBe(2 * 60 * 60 * 1_000);
  const read = {
    ...shown,
    signingSecretPreview: signingSecret.slice(0, 8),
    waiting: { pending: 0, retrying: 0, leased: 0, paused: 0 },
  };
  expect(await tenant.get(`listeners/${shown.id}`)).toEqual(read);
  const list = (await tenant.owner().get(PATH)).body;
  expect([list.data, list.page]).toEqual([[read], { nextCursor: null }]);
});

test("have a name and 24 hours unless the request says otherwise", async () => {
  const { body } = await create({ name: null, expiresInHours: null });
  expect([body.data.name, body.data.expiresInHours]).toEqual(["Listener", 24]);
});

test("the response names every field at fault", async () => {
  const refused = await create({ name: "", events: ["order.placed"], expiresInHours: 721, url: "x" });
  expect(faultsOf(refused)).toEqual([422, "events[0]", "expiresInHours", "name", "url"]);
  expect(JSON.stringify(refused.body.error.details)).toContain(
    "orders have a change feed: /v1/orders/events",
  );
  for (const expiresInHours of [0, 1.5, "24"]) expect((await create({ expiresInHours })).status).toBe(422);
});

test("a tenant has at most 20, also if they are created at once", async () => {
  const responses = await Promise.all(Array.from({ length: 23 }, () => create()));
  const codes = responses.map(({ status, body }) => (status === 201 ? "created" : body.error.code)).sort();
  expect(codes).toEqual([...Array(20).fill("created"), ...Array(3).fill("listener_limit")]);
  const refusal = responses.find(({ status }) => status === 409);
  expect(refusal?.body.error.message).toContain("DELETE /v1/webhooks/listeners/{id}");
  const [first] = responses.filter(({ status }) => status === 201);
  await tenant.owner().delete(`${PATH}/${first?.body.data.id}`);
  expect((await create()).status).toBe(201);
});

test("are not subscriptions, and subscriptions are not listeners", async () => {
  const subscription = await tenant.subscribe("https://hooks.example.com/in");
  const { id } = (await create()).body.data;
  const owner = tenant.owner();
  const subscriptions = "/v1/webhooks/subscriptions";
  expect(await tenant.get("subscriptions")).toMatchObject([{ id: subscription.id }]);
  expect(await tenant.get("listeners")).toMatchObject([{ id }]);
  const responses = await Promise.all([
    owner.get(`${subscriptions}/${id}`),
    owner.patch(`${subscriptions}/${id}`, { active: false }),
    owner.delete(`${subscriptions}/${id}`),
    owner.post(`${subscriptions}/${id}/rotate-secret`, {}),
    owner.post(`${subscriptions}/${id}/test`, {}),
    owner.post(`${subscriptions}/${id}/recover`, { since: "2026-01-01T00:00:00Z" }),
    owner.post(`${subscriptions}/${id}/recover`, { since: "2026-01-01T00:00:00Z", dryRun: true }),
    owner.get(`${PATH}/${subscription.id}`),
    owner.delete(`${PATH}/${subscription.id}`),
    owner.post(`${PATH}/${subscription.id}/lease`, {}),
  ]);
  expect(responses.map(({ status }) => status)).toEqual(Array(responses.length).fill(404));
  for (let made = 1; made < 50; made += 1) await tenant.subscribe("https://hooks.example.com/in");
  expect((await create()).status).toBe(201);
});

test("are not found once they are deleted", async () => {
  const { id } = (await create({ expiresInHours: 1 })).body.data;
  const { status, body } = await tenant.owner().delete(`${PATH}/${id}`);
  expect([status, body.data]).toEqual([200, { id, deleted: true }]);
  expect((await tenant.owner().get(`${PATH}/${id}`)).status).toBe(404);
  expect((await tenant.owner().delete(`${PATH}/${id}`)).status).toBe(404);
});
