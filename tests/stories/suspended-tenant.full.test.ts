// The operator suspends and resumes a tenant. Its requests are refused, its deliveries wait, and none of them is lost (interface
// §2, §9).
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import { type ClientResponse, until } from "@tradepost/testing";
import { opsJsonOn } from "../support/run-ops.ts";
import { startTestPlatform, type TestTenant } from "../support/test-platform.ts";

const EVENTS = ["redirect.added", "content.entry.published"];

const platform = await startTestPlatform({
  WEBHOOKS_RETRY_SCHEDULE: Array.from({ length: 7 }, () => "2s").join(),
});
const receiver = await platform.startReceiver();
const [content, webhooks] = [platform.pools.content, platform.pools.webhooks];
const [tenant, other] = await Promise.all([platform.createTenant(), platform.createTenant()]);
afterAll(() => platform.stop());

const opsJson = (...words: string[]) => opsJsonOn(platform)(...words);
const listed = async () =>
  (await opsJson("tenant", "list")).find(
    ({ tenantId }: { tenantId: string }) => tenantId === tenant.tenantId,
  );
const outcome = ({ status, body }: ClientResponse) => `${status} ${body.error?.code ?? ""}`.trim();
const REFUSED = "403 tenant_suspended";

const subscribe = (who: TestTenant, path: string) => who.subscribe(receiver.url + path, EVENTS);
/** Creates and schedules an entry, and returns its id. */
const scheduleEntry = async (slug: string) => {
  const entry = await tenant.key.post("/v1/entries", { type: "article", slug, data: {} });
  const path = `/v1/entries/${entry.body.data.id}/schedule`;
  const publishAt = new Date(Date.now() + 3_600_000).toISOString();
  expect((await tenant.key.post(path, { publishAt })).status).toBe(200);
  return entry.body.data.id as string;
};
const openDeliveries = async () => {
  const { rows } = await webhooks.query<{ subscriptionId: string; status: string }>(
    'select subscription_id as "subscriptionId", status from deliveries where tenant_id = $1 order by created_at, id',
    [tenant.tenantId],
  );
  return rows;
};
const receivedAt = (path: string) =>
  receiver.received.filter((request) => request.path === path).map(({ body }) => JSON.parse(String(body)));

test("waits with everything while a tenant is suspended, and goes on when it is resumed", async () => {
  receiver.behave(({ path }) => (path === "/open" ? 500 : 200));
  const [open, paused] = [await subscribe(tenant, "/open"), await subscribe(tenant, "/paused")];
  await subscribe(other, "/other");
  const { body } = await tenant.owner.patch(`/v1/webhooks/subscriptions/${paused.id}`, { active: false });
  const versions = [open.version, body.data.version];
  const listener = await tenant.key.post("/v1/webhooks/listeners", { events: EVENTS });
  const listenerId: string = listener.body.data.id;
  await tenant.owner.put("/v1/content-types/article", { name: "Article", fields: [] });
  const scheduled = [await scheduleEntry("first"), await scheduleEntry("second")];
  await expect(opsJson("tenant", "suspend", "no-such-tenant")).rejects.toThrow(/no tenant with the slug/);
  await expect(opsJson("tenant", "suspend", CANARY_TENANT_ID)).rejects.toThrow(/canary/);
  const { slug } = await listed();
  // The attempts fail, and the next one would be due during the suspension.
  await tenant.key.post("/v1/redirects", { from: "/a", to: "/b" });
  await receiver.waitFor("the first attempt", ({ path }) => path === "/open");
  // The feed waits for a type that does not occur. While other tests have transactions open, "now" may be before the redirect.
  const waitingFeed = tenant.key.get(
    "/v1/content/events?after=now&types=content.entry.deleted&waitSeconds=25",
  );
  const waitingLease = tenant.key.post(`/v1/webhooks/listeners/${listenerId}/lease`, {});
  await waitingLease;

  // This run ends after the first of its two transactions.
  const databases = { ...platform.databases, webhooks: "postgres://nobody@127.0.0.1:1/nothing" };
  await expect(opsJsonOn({ ...platform, databases })("tenant suspend", slug)).rejects.toThrow();
  expect(await listed()).toMatchObject({ suspended: true });
  for (const name of [slug, tenant.tenantId]) {
    expect(await opsJson("tenant", "suspend", name)).toEqual({ tenantId: tenant.tenantId, suspended: true });
  }
  expect(outcome(await waitingFeed)).toBe(REFUSED);
  expect(outcome(await tenant.key.post("/mcp", {}))).toBe(REFUSED);
  expect(outcome(await tenant.key.post(`/v1/webhooks/listeners/${listenerId}/lease`, {}))).toBe(REFUSED);
  expect(outcome(await tenant.owner.get("/v1/me"))).toBe(REFUSED);
  expect((await other.key.post("/v1/redirects", { from: "/a", to: "/b" })).status).toBe(201);
  await receiver.waitFor("a webhook of the other tenant", ({ path }) => path === "/other");

  await until("the end of attempts", async () => (await openDeliveries())[0]?.status === "paused");
  const madeCount = receivedAt("/open").length;
  for (const id of scheduled) {
    await content.query("update entries set publish_at = now(), schedule_try_at = now() where id = $1", [id]);
    await until("the publication", async () => {
      const { rowCount } = await content.query("select from entries where id = $1 and publish_at is null", [
        id,
      ]);
      return rowCount === 1;
    });
  }
  // The schedules are kept, and their events also wait. The listener's first delivery is still leased.
  await until("deliveries that wait", async () => (await openDeliveries()).length === 9);
  await until("paused deliveries", async () =>
    (await openDeliveries()).every(({ status }) => status === "paused"),
  );
  expect(receivedAt("/open").length).toBe(madeCount);
  const sent =
    "select deliveries.id from deliveries join subscriptions on subscriptions.id = subscription_id and url is not null";
  const [one] = (await webhooks.query(`${sent} where deliveries.tenant_id = $1`, [tenant.tenantId])).rows;
  expect((await opsJson("deliveries", "explain", one.id)).because).toMatch(
    /operator has suspended its tenant/,
  );
  const dead = await webhooks.query("select from dead_letters where tenant_id = $1", [tenant.tenantId]);
  expect(dead.rowCount).toBe(0);

  receiver.behave(() => 200);
  for (const name of [slug, slug]) {
    expect(await opsJson("tenant", "resume", name)).toEqual({ tenantId: tenant.tenantId, suspended: false });
  }
  await until("the deliveries", () => receivedAt("/open").length === madeCount + 3);
  const received = receivedAt("/open").slice(madeCount);
  expect(received.map(({ type }) => type)).toEqual([EVENTS[0], EVENTS[1], EVENTS[1]]);
  expect(received.slice(1).map(({ data }) => data.entry.slug)).toEqual(["first", "second"]);
  const shown = await Promise.all(
    [open, paused].map(({ id }) => tenant.owner.get(`/v1/webhooks/subscriptions/${id}`)),
  );
  expect(shown.map(({ body }) => [body.data.active, body.data.version])).toEqual([
    [true, versions[0]],
    [false, versions[1]],
  ]);
  await until("the listener's deliveries", async () => {
    const { body } = await tenant.key.get(`/v1/webhooks/listeners/${listenerId}`);
    return body.data.waiting.pending + body.data.waiting.leased === 3;
  });
  expect(receivedAt("/paused")).toEqual([]);
  const { body: entries } = await tenant.owner.get(`/v1/audit-log?targetId=${tenant.tenantId}`);
  const actor = { type: "operator", id: "operator", name: "Operator" };
  const target = { type: "tenant", id: tenant.tenantId };
  expect(entries.data).toEqual(
    ["tenant.resumed", "tenant.suspended"].map((action) =>
      expect.objectContaining({ action, actor, target }),
    ),
  );
  expect(await listed()).toMatchObject({ suspended: false });
});
