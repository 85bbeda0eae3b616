// The version of a subscription: it moves with every change, and If-Match makes a change conditional on it.
import { useWebhooks } from "./support/use-webhooks.ts";
import { faultsOf } from "./support/webhooks.ts";

const PATH = "/v1/webhooks/subscriptions";

const { webhooks, receiver, tenant } = useWebhooks();

describe("the version of a subscription", () => {
  let id: string;

  beforeEach(async () => {
    ({ id } = await tenant.subscribe("/hook"));
  });

  const path = () => `${PATH}/${id}`;
  const read = (headers: Record<string, string> = {}) => tenant.owner().get(path(), headers);
  const versionOf = async () => (await read()).body.data.version;
  const audited = async () => (await webhooks.auditEntries(tenant.tenantId, id)).length;

  test("is 1 at first, and is sent as ETag", async () => {
    const created = await tenant
      .owner()
      .post(PATH, { name: "A", url: `${receiver.url}/a`, events: ["redirect.added"] });
    expect([created.headers.get("etag"), created.body.data.version]).toEqual(['"1"', 1]);
    const found = await read();
    expect([found.headers.get("etag"), found.body.data.version]).toEqual(['"1"', 1]);
  });

  test("moves with every change and every rotation, and the responses show it", async () => {
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
    const etag = (await read()).headers.get("etag") ?? "";
    await tenant.act(id, "test");
    await tenant.untilDelivery(id, "delivered");
    const found = await read({ "if-none-match": etag });
    expect([found.status, found.headers.get("etag")]).toEqual([200, etag]);
    expect(found.body.data.health.lastSuccessAt).not.toBeNull();
  });

  test("lets one of two changes at the same time win", async () => {
    const change = (name: string) => tenant.owner().patch(path(), { name }, { "if-match": '"1"' });
    const statuses = (await Promise.all([change("A"), change("B")])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 412]);
    expect(await versionOf()).toBe(2);
  });
});

test("the list of subscriptions shows the active or the paused ones", async () => {
  const [first, second] = [await tenant.subscribe("/1"), await tenant.subscribe("/2")];
  const third = await tenant.subscribe("/3");
  await tenant.setActive(second.id, false);
  const ids = async (query: string) =>
    (await tenant.owner().get(`${PATH}${query}`)).body.data.map((one: { id: string }) => one.id);
  expect(await ids("?active=true")).toEqual([third.id, first.id]);
  expect(await ids("?active=false")).toEqual([second.id]);
  expect(await ids("")).toEqual([third.id, second.id, first.id]);
  expect(faultsOf(await tenant.owner().get(`${PATH}?active=yes`))).toEqual([422, "active"]);
  const page = await tenant.owner().get(`${PATH}?active=true&limit=1`);
  expect(await ids(`?active=true&limit=1&cursor=${page.body.page.nextCursor}`)).toEqual([first.id]);
});
