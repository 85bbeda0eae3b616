// The standing of an endpoint, which outlives its subscription.
import { inTransaction } from "@tradepost/postgres";
import { until } from "@tradepost/testing";
import type pg from "pg";
import { applyRetention } from "../src/log/retention.ts";
import { CONSECUTIVE_FAILURES } from "../src/statement-parts.ts";
import { storeStandings } from "../src/subscriptions/standing-store.ts";
import { useWebhooks } from "./support/use-webhooks.ts";

const ORIGIN = "https://127.0.0.1:8443";
const NEW = { windowSize: 2, isProven: false, consecutiveFailures: 0 };
const PROVEN = { windowSize: 64, isProven: true, consecutiveFailures: 0 };
const FAILING = { windowSize: 1, isProven: false, consecutiveFailures: 0 };
const DOWN = { windowSize: 1, isProven: false, consecutiveFailures: 50 };

const { webhooks, tenant, receiver } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "1h" });

const READ = `select window_size as "windowSize", proven as "isProven", ${CONSECUTIVE_FAILURES} as "consecutiveFailures"
       from endpoints join subscriptions on subscriptions.tenant_id = endpoints.tenant_id
                                        and subscriptions.id = endpoints.subscription_id
      where subscription_id = $1`;
const read = async (subscriptionId: string) => (await webhooks.query(READ, subscriptionId))[0];
const storeAll = async (
  standings: Parameters<typeof storeStandings>[0],
  client: Pick<pg.PoolClient, "query"> = webhooks.pool,
) => {
  const { text, values = [] } = storeStandings(standings);
  await client.query(text, [...values]);
};
const store = async (subscriptionId: string, standing: typeof NEW, tenantId = tenant.tenantId) =>
  storeAll([{ tenantId, subscriptionId, ...standing }]);
const subscribe = async (url: string, owner = tenant) => (await owner.subscribe(url)).id;
const changeUrl = (id: string, url: string) => tenant.change(id, { url });

test.each([PROVEN, FAILING, DOWN])(
  "survives deleting and making the subscription again, which shows only its own health: %j",
  async (standing) => {
    const id = await subscribe(`${ORIGIN}/hook`);
    await store(id, standing);
    expect(await read(id)).toEqual(standing);
    await tenant.unsubscribe(id);
    const again = await subscribe("HTTPS://127.0.0.1:8443/other?path");
    expect(await read(again)).toEqual(standing);
    expect(await tenant.health(again)).toMatchObject({ status: "healthy", consecutiveFailures: 0 });
  },
);

test.each([200, 500])("survives as well if it comes from a response with %i", async (status) => {
  receiver.behave(() => status);
  const id = await subscribe("/hook");
  await tenant.emit();
  const earned = await until("a changed window", async () => {
    const standing = await read(id);
    return standing.windowSize !== NEW.windowSize && standing;
  });
  expect(earned.windowSize).toBe(status === 200 ? 4 : 1);
  await tenant.unsubscribe(id);
  const again = await subscribe("/hook");
  expect(await read(again)).toEqual({ ...earned, consecutiveFailures: 0 });
});

test("is the worst of the tenant's others at the origin", async () => {
  const [good, bad] = [await subscribe(`${ORIGIN}/good`), await subscribe(`${ORIGIN}/bad`)];
  await store(good, PROVEN);
  await store(bad, FAILING);
  await tenant.unsubscribe(bad);
  expect(await read(await subscribe(`${ORIGIN}/bad`))).toEqual(FAILING);
  expect(await read(good)).toEqual(PROVEN);
});

test("is neither shared with another tenant, nor with another port", async () => {
  const id = await subscribe(ORIGIN);
  await store(id, PROVEN);
  expect(await read(await subscribe(ORIGIN, webhooks.tenant()))).toEqual(NEW);
  await tenant.unsubscribe(id);
  expect(await read(await subscribe("https://127.0.0.1:9443"))).toEqual(NEW);
  expect(await read(await subscribe(ORIGIN, webhooks.tenant()))).toEqual(NEW);
});

test("belongs to the origin: a changed URL starts anew there, and finds it when changed back", async () => {
  const id = await subscribe(`${ORIGIN}/hook`);
  await store(id, PROVEN);
  await changeUrl(id, `${ORIGIN}/other`);
  expect(await read(id)).toEqual(PROVEN);
  await changeUrl(id, "https://127.0.0.1:9443/");
  expect(await read(id)).toEqual(NEW);
  await store(id, DOWN);
  await changeUrl(id, ORIGIN);
  expect(await read(id)).toEqual(PROVEN);
  expect(await read(await subscribe("https://127.0.0.1:9443/"))).toEqual(DOWN);
});

test("is written only if it has changed, also of several at once, and not for a deleted subscription", async () => {
  const [one, other, gone] = [await subscribe(ORIGIN), await subscribe(ORIGIN), await subscribe(ORIGIN)];
  await tenant.unsubscribe(gone);
  await store(one, PROVEN);
  const text = "select subscription_id as id, xmin::text from endpoints where tenant_id = $1";
  const versions = async () =>
    Object.fromEntries((await webhooks.query(text, tenant.tenantId)).map(({ id, xmin }) => [id, xmin]));
  const before = await versions();
  const { tenantId } = tenant;
  await storeAll([gone, one, other].map((subscriptionId) => ({ tenantId, subscriptionId, ...PROVEN })));
  const after = await versions();
  expect(after[one]).toBe(before[one]);
  expect(after[other]).not.toBe(before[other]);
  expect(await read(other)).toEqual(PROVEN);
});

test("is the later one if two are stored at a time", async () => {
  const id = await subscribe(ORIGIN);
  let second: Promise<void> | undefined;
  await inTransaction(webhooks.pool, async (client) => {
    await storeAll([{ tenantId: tenant.tenantId, subscriptionId: id, ...FAILING }], client);
    second = store(id, PROVEN);
    await webhooks.untilLocked();
  });
  await second;
  expect(await read(id)).toEqual(PROVEN);
});

test("survives with a host name that is longer than DNS allows", async () => {
  const id = await subscribe(ORIGIN);
  const url = `https://${"a".repeat(2_000)}/`;
  await webhooks.query("update subscriptions set url = $2 where id = $1", id, url);
  expect((await changeUrl(id, ORIGIN)).status).toBe(200);
  expect((await changeUrl(id, `https://${`${"a".repeat(60)}.`.repeat(30)}example/`)).status).toBe(200);
  expect(await read(id)).toEqual(NEW);
  expect((await tenant.unsubscribe(id)).status).toBe(200);
});

test("of the past is kept for as long as the delivery log", async () => {
  const id = await subscribe(ORIGIN);
  await store(id, PROVEN);
  await tenant.unsubscribe(id);
  const AGE = "update former_standings set kept_at = now() - $2 * interval '1 day' where tenant_id = $1";
  for (const [days, kept] of [
    [30, 1],
    [32, 0],
  ]) {
    await webhooks.query(AGE, tenant.tenantId, days);
    await applyRetention(webhooks.pool, 30);
    const rows = await webhooks.query("select from former_standings where tenant_id = $1", tenant.tenantId);
    expect([days, rows.length]).toEqual([days, kept]);
  }
});
