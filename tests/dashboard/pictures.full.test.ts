// Takes the pictures of the README, of a shop with a little of everything. WRITE_PICTURES=1 replaces them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "@tradepost/devstack";
import { type Receiver, until } from "@tradepost/testing";
import pg from "pg";
import { describeWithBrowser } from "../support/browser.ts";
import type { TestTenant } from "../support/test-platform.ts";
import { animatedPicture } from "./support/animated-picture.ts";
import { type Dashboard, useDashboard, useReceiver } from "./support/dashboard.ts";
import { deliveries, place, subscribe } from "./support/shop.ts";

const SERVICE = path.join(ROOT, "services/dashboard");
const FOLDER = path.join(SERVICE, "pictures");
const SCREEN = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
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
  /** By default SCREEN. */
  readonly size?: typeof SCREEN;
  readonly isDark?: true;
}

const PICTURES: readonly Picture[] = [
  { name: "overview", at: () => "/", shows: "Last 30 days" },
  { name: "overview-dark", at: () => "/", shows: "Last 30 days", isDark: true },
  { name: "reports", at: () => "/reports", shows: "Average order" },
  { name: "orders", at: () => "/orders", shows: "Edgar Moreau" },
  { name: "orders-phone", at: () => "/orders", shows: "Edgar Moreau", size: PHONE },
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

/** A recording. */
const CONSOLE: { name: string; size?: typeof SCREEN } = { name: "console" };
const BYTES_MAX = 1_000_000;

describe("the README's pictures", () => {
  test.each([...PICTURES, CONSOLE])("$name is there, in its size", ({ name, size = SCREEN }) => {
    const file = path.join(FOLDER, `${name}.png`);
    expect(existsSync(file)).toBe(true);
    expect(sizeOf(readFileSync(file))).toEqual(size);
    expect(readFileSync(path.join(SERVICE, "README.md"), "utf8")).toContain(`](pictures/${name}.png)`);
  });
});

describeWithBrowser("the pictures of the README in a browser (if there is one)", () => {
  const dashboard = useDashboard({ WEBHOOKS_RETRY_SCHEDULE: "4m,15m,30m" });
  const receiver = useReceiver({ "/search": () => 503 });
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(dashboard, receiver);
  });

  test.each(PICTURES)("$name can be taken", async ({ name, at, shows, size = SCREEN, isDark }) => {
    const { page } = await dashboard.open({ ...size, at: at(shop) });
    if (isDark) await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await page.getByText(shows).first().waitFor();
    await until("the end of all reads", async () => (await page.getByText("Loading…").count()) === 0);
    const picture = await page.screenshot();
    expect(sizeOf(picture)).toEqual(size);
    write(name, picture);
  });

  test("the Console can be recorded", async () => {
    const { page } = await dashboard.open({ ...SCREEN, at: "/console" }, "Press a button.");
    const frames = [{ png: await page.screenshot(), ms: 1_500 }];
    const record = async (ms: number) =>
      frames.push({ png: await page.screenshot({ clip: BESIDE_NAVIGATION }), ms, ...BESIDE_NAVIGATION });
    const isComplete = (run: string, last: string) =>
      page.getByRole("region", { name: run }).getByRole("listitem").filter({ hasText: last }).waitFor();
    for (const [button, run, last] of [
      ["Add a redirect", "POST /v1/redirects", "Acknowledged"],
      ["Place an order", "POST /v1/orders", "In the feed"],
    ] as const) {
      await page.getByRole("button", { name: button }).hover();
      await record(700);
      await page.getByRole("button", { name: button }).click();
      await isComplete(run, last);
      await record(3_500);
    }
    const recording = animatedPicture(frames);
    expect(sizeOf(recording)).toEqual(SCREEN);
    expect(recording.length).toBeLessThan(BYTES_MAX);
    expect(await page.evaluate(DECODED(recording))).toBe(frames.length);
    write(CONSOLE.name, recording);
  });
});

const BESIDE_NAVIGATION = { x: 240, y: 0, width: SCREEN.width - 240, height: SCREEN.height };

/** Counts the frames that the browser decodes. */
const DECODED = (png: Buffer) => `(async () => {
  const data = Uint8Array.from(atob(${JSON.stringify(png.toString("base64"))}), (letter) => letter.charCodeAt(0));
  const decoder = new ImageDecoder({ data, type: "image/png" });
  await decoder.tracks.ready;
  const { frameCount } = decoder.tracks.selectedTrack;
  for (let frameIndex = 0; frameIndex < frameCount; frameIndex += 1) await decoder.decode({ frameIndex });
  return frameCount;
})()`;

function write(name: string, picture: Buffer): void {
  if (!process.env.WRITE_PICTURES) return;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(path.join(FOLDER, `${name}.png`), picture);
}

function sizeOf(png: Buffer): typeof SCREEN {
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

const CUSTOMERS = [
  "Mira Lindqvist",
  "Jonas Weber",
  "Lena Okafor",
  "Edgar Moreau",
  "Sofia Marques",
  "Noor van Dijk",
  "Tomasz Zielinski",
  "Hannah Byrne",
];
const ITEMS = [
  { sku: "C-1", name: "Espresso blend, 250 g", quantity: 2, unitPrice: 9.5 },
  { sku: "C-2", name: "Pour-over set", quantity: 1, unitPrice: 34 },
  { sku: "C-3", name: "Colombia Huila, 500 g", quantity: 3, unitPrice: 17.9 },
  { sku: "C-4", name: "Ethiopia Sidamo, 1 kg", quantity: 2, unitPrice: 31.5 },
] as const;

async function openShop({ platform, tenant }: Dashboard, receiver: Receiver): Promise<Shop> {
  const { key, owner, tenantId } = tenant;
  await owner.patch("/v1/shop", { name: SHOP });
  const me = (await owner.get("/v1/me")).body.data.actor.id;
  expect((await owner.patch(`/v1/users/${me}`, { name: "Ada Holm" })).status).toBe(200);
  const [first] = (await owner.get("/v1/api-keys")).body.data;
  await owner.patch(`/v1/api-keys/${first.id}`, { label: "Storefront" });
  const inFiveDays = new Date(Date.now() + 5 * 24 * 3_600_000).toISOString();
  await owner.post("/v1/api-keys", { label: "Shop assistant", scopes: ["read:crm", "read:content"] });
  await owner.post("/v1/api-keys", { label: "Till", scopes: ["write:crm"], expiresAt: inFiveDays });

  const customers: string[] = [];
  for (const name of CUSTOMERS) {
    const email = `${name.toLowerCase().replaceAll(" ", ".")}@example.com`;
    customers.push((await key.post("/v1/customers", { name, email })).body.data.id);
  }
  await addOrders(platform, tenant, customers);
  const orders: string[] = [];
  for (const [index, item] of ITEMS.entries()) {
    const order = await place(tenant, {
      customerId: customers[index],
      currency: "EUR",
      items: [
        { ...item, taxAmount: 2.4 },
        { sku: "FILTER-100", name: "Paper filters, 100", quantity: 1, unitPrice: 4.25 },
      ],
      shippingTotal: 4.9,
    });
    orders.push(order.id);
  }
  for (const id of orders.slice(1)) await key.post(`/v1/orders/${id}/payments`, { status: "succeeded" });
  const [, shipped, delivered, shown] = orders as [string, string, string, string];
  for (const id of [shipped, delivered])
    await key.post(`/v1/orders/${id}/fulfill`, { carrier: "DHL", trackingNumber: "JD0146" });
  await key.post(`/v1/orders/${delivered}/deliver`, {});
  await key.post(`/v1/orders/${shown}/refund`, { amount: 4.25, reason: "The filters were out of stock." });

  const subscribed = { events: ["redirect.added", "content.entry.published"], headers: {} };
  const storefront = { name: "Storefront", url: `${receiver.url}/shop`, ...subscribed };
  const subscriptionId = await subscribe(tenant, storefront);
  await subscribe(tenant, { name: "Search index", url: `${receiver.url}/search`, ...subscribed });
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
  const [{ id: deliveryId }] = await deliveries(tenant, "status=retrying&type=redirect.added");
  return { orderId: shown, entryId, deliveryId, subscriptionId };
}

const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;
const DAYS = 60;
const SHIPPING = 4.9;

/** Adds orders of the days before today, because a new shop has none. Orders since noon of yesterday are open. */
async function addOrders(
  { databases }: Dashboard["platform"],
  { key }: TestTenant,
  customers: readonly string[],
) {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const orders = Array.from({ length: DAYS - 1 }, (_, index) => DAYS - 1 - index).flatMap((daysAgo) => {
    // Some weekdays have more orders, no week is like another, and the shop grows.
    const count =
      2 + (((daysAgo ** 2 * 3) % 7) % 4) + (((daysAgo * 5) % 11) % 3) + (daysAgo < DAYS / 2 ? 2 : 0);
    return Array.from({ length: count }, (_, index) => ({
      customerId: customers[(daysAgo * 3 + index * 5) % customers.length],
      channel: "storefront",
      currency: "EUR",
      items: [ITEMS[(daysAgo + index) % ITEMS.length]],
      shippingTotal: SHIPPING,
      placedAt: new Date(today - daysAgo * DAY_MS + (8 * 60 + index * 97) * MINUTE_MS).toISOString(),
    }));
  });
  for (let first = 0; first < orders.length; first += BULK_MAX) {
    const { body } = await key.post("/v1/orders/bulk", { orders: orders.slice(first, first + BULK_MAX) });
    expect(body.data.filter(({ success }: { success: boolean }) => !success)).toEqual([]);
  }
  const db = new pg.Client(databases.orders);
  await db.connect();
  await db.query(
    `update orders set payment_status = 'paid', paid_total = total,
                       status = case when placed_at < $1::timestamptz - interval '3 days' then 'delivered' else 'fulfilled' end
      where placed_at < $1`,
    [new Date(today - DAY_MS / 2)],
  );
  await db.end();
}

const BULK_MAX = 100;

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
  await webhooks.query(
    `update subscriptions set last_failure_at = (select max(at) from attempts where subscription_id = $1 and outcome <> 'delivered')
      where id = $1`,
    [subscriptionId],
  );
  await webhooks.end();
}
