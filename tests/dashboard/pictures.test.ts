// Takes the pictures of the README, of a shop with a little of everything. WRITE_PICTURES=1 replaces them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Receiver, startReceiver, testCertificate, until } from "@tradepost/testing";
import pg from "pg";
import { describeWithBrowser } from "../support/browser.ts";
import { ROOT } from "../support/compose-file.ts";
import { type Dashboard, startDashboard } from "./support/dashboard.ts";

const SERVICE = path.join(ROOT, "services/dashboard");
const FOLDER = path.join(SERVICE, "pictures");
const WIDTH = 1280;
const HEIGHT = 800;
const SHOP = "Harbour Coffee";

interface Shop {
  readonly orderId: string;
  readonly entryId: string;
  readonly deliveryId: string;
  readonly subscriptionId: string;
}

interface Picture {
  readonly name: string;
  readonly at: (shop: Shop) => string;
  /** A text that appears when the screen is complete. */
  readonly shows: string | RegExp;
}

const PICTURES: readonly Picture[] = [
  { name: "overview", at: () => "/", shows: "Needs attention" },
  { name: "ai-integrations", at: () => "/ai-integrations", shows: "Shop assistant" },
  { name: "order", at: ({ orderId }) => `/orders/${orderId}`, shows: "Ethiopia Sidamo, 1 kg" },
  { name: "delivery", at: ({ deliveryId }) => `/deliveries/${deliveryId}`, shows: "Attempt 1" },
  {
    name: "subscription",
    at: ({ subscriptionId }) => `/webhooks/${subscriptionId}`,
    shows: "Attempts by hour in the last 24 hours",
  },
  { name: "entry", at: ({ entryId }) => `/entries/${entryId}`, shows: "Live" },
];

describe("the README's pictures", () => {
  test.each(PICTURES)("$name is there, in the size of a screen", ({ name }) => {
    const file = path.join(FOLDER, `${name}.png`);
    expect(existsSync(file)).toBe(true);
    expect(sizeOf(readFileSync(file))).toEqual([WIDTH, HEIGHT]);
    expect(readFileSync(path.join(SERVICE, "README.md"), "utf8")).toContain(`](pictures/${name}.png)`);
  });
});

describeWithBrowser("the pictures of the README in a browser (if there is one)", () => {
  let dashboard: Dashboard;
  let receiver: Receiver;
  let shop: Shop;
  beforeAll(async () => {
    [dashboard, receiver] = await Promise.all([
      startDashboard({ WEBHOOKS_RETRY_SCHEDULE: "4m,15m,30m" }),
      testCertificate().then((tls) => startReceiver(tls)),
    ]);
    receiver.behave(({ path: at }) => (at === "/search" ? 503 : 200));
    shop = await openShop(dashboard, receiver);
  });
  afterAll(async () => {
    await dashboard.stop();
    await receiver.stop();
  });

  test.each(PICTURES)("$name can be taken", async ({ name, at, shows }) => {
    const options = { width: WIDTH, height: HEIGHT, as: dashboard.owner, at: at(shop) };
    const { page, ...opened } = await dashboard.open(options);
    await page.getByText(shows).first().waitFor();
    await until("the end of all reads", async () => (await page.getByText("Loading…").count()) === 0);
    const picture = await page.screenshot();
    expect(sizeOf(picture)).toEqual([WIDTH, HEIGHT]);
    if (process.env.WRITE_PICTURES) {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(path.join(FOLDER, `${name}.png`), picture);
    }
    opened.expectNoFaults();
    await opened.close();
  });
});

/** Returns the width and height of a PNG. */
function sizeOf(png: Buffer): [number, number] {
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

async function openShop({ platform, tenant }: Dashboard, receiver: Receiver): Promise<Shop> {
  const { key, owner, tenantId } = tenant;
  const gateway = new pg.Client(platform.databases.gateway);
  await gateway.connect();
  await gateway.query("update tenants set name = $1 where id = $2", [SHOP, tenantId]);
  await gateway.query("update users set name = 'Ada Holm' where tenant_id = $1", [tenantId]);
  await gateway.end();
  const [first] = (await owner.get("/v1/api-keys")).body.data;
  await owner.patch(`/v1/api-keys/${first.id}`, { label: "Storefront" });
  const inFiveDays = new Date(Date.now() + 5 * 24 * 3_600_000).toISOString();
  await owner.post("/v1/api-keys", { label: "Shop assistant", scopes: ["read:crm", "read:content"] });
  await owner.post("/v1/api-keys", { label: "Till", scopes: ["write:crm"], expiresAt: inFiveDays });

  const orders: string[] = [];
  for (const [name, quantity, unitPrice] of [
    ["Espresso blend, 250 g", 2, 9.5],
    ["Pour-over set", 1, 34],
    ["Colombia Huila, 500 g", 3, 17.9],
    ["Ethiopia Sidamo, 1 kg", 2, 31.5],
  ] as const) {
    const customer = await key.post("/v1/customers", {
      name: `${["Mira", "Jonas", "Lena", "Edgar"][orders.length]} Lindqvist`,
      email: `customer-${orders.length}@example.com`,
    });
    const { body } = await key.post("/v1/orders", {
      customerId: customer.body.data.id,
      currency: "EUR",
      items: [
        { sku: `C-${orders.length + 1}`, name, quantity, unitPrice, taxAmount: 2.4 },
        { sku: "FILTER-100", name: "Paper filters, 100", quantity: 1, unitPrice: 4.25 },
      ],
      shippingTotal: 4.9,
    });
    orders.push(body.data.id);
  }
  for (const id of orders.slice(1)) await key.post(`/v1/orders/${id}/payments`, { status: "succeeded" });
  const [, shipped, delivered, shown] = orders as [string, string, string, string];
  for (const id of [shipped, delivered])
    await key.post(`/v1/orders/${id}/fulfill`, { carrier: "DHL", trackingNumber: "JD0146" });
  await key.post(`/v1/orders/${delivered}/deliver`, {});
  await key.post(`/v1/orders/${shown}/refund`, { amount: 4.25, reason: "The filters were out of stock." });

  const subscriptions: string[] = [];
  for (const [name, at] of [
    ["Storefront", "/shop"],
    ["Search index", "/search"],
  ]) {
    const events = ["redirect.added", "content.entry.published"];
    const made = await owner.post("/v1/webhooks/subscriptions", {
      name,
      url: `${receiver.url}${at}`,
      events,
    });
    subscriptions.push(made.body.data.id);
  }
  const [subscriptionId] = subscriptions as [string];
  await addAttempts(platform.databases.webhooks, tenantId, subscriptionId);
  await owner.put("/v1/content-types/article", {
    name: "Article",
    fields: [
      { key: "title", type: "text", required: true },
      { key: "body", type: "richtext", required: false },
      { key: "minutes", type: "number", required: false },
    ],
  });
  const data = { title: "How to brew in a storm", body: "Water first, then patience.", minutes: 4 };
  const entry = await key.post("/v1/entries", { type: "article", slug: "brew-in-a-storm", data });
  const entryId = entry.body.data.id;
  await key.post(`/v1/entries/${entryId}/publish`, {});
  await key.patch(`/v1/entries/${entryId}`, {
    data: { ...data, body: "Water first, then patience, then a bigger cup." },
  });
  await key.post("/v1/redirects", { from: "/summer-sale", to: "/offers" });
  const deliveryId = await until("a delivery that waits for its second attempt", async () => {
    const { body } = await owner.get("/v1/webhooks/deliveries?status=retrying&type=redirect.added");
    return body.data[0]?.id as string | undefined;
  });
  return { orderId: shown, entryId, deliveryId, subscriptionId };
}

/** Adds attempts of the last day, of which some failed, because a new shop has none. */
async function addAttempts(url: string, tenantId: string, subscriptionId: string): Promise<void> {
  const webhooks = new pg.Client(url);
  await webhooks.connect();
  await webhooks.query(`do $$ declare day date := (now() at time zone 'utc')::date - 1; begin
    execute format('create table if not exists attempts_%s partition of attempts for values from (%L) to (%L)',
                   to_char(day, 'YYYYMMDD'), day || ' 00:00Z', day + 1 || ' 00:00Z'); end $$`);
  await webhooks.query(
    `insert into attempts (tenant_id, delivery_id, generation, attempt, at, duration_ms, outcome, status_code, subscription_id)
     select $1, gen_random_uuid(), 1, 1, now() - hour * interval '1 hour', 20 + number * 7 % 90,
            case when failed then 'http_status' else 'delivered' end, case when failed then 503 else 204 end, $2
       from generate_series(1, 22) as hour, generate_series(1, 6 + hour * 5 % 17) as number,
            lateral (select hour in (9, 10) and number % 3 = 0 as failed) as result`,
    [tenantId, subscriptionId],
  );
  await webhooks.end();
}
