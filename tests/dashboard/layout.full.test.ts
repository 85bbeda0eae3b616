// What stays in its place and within its frame: columns, names of any length, the navigation and dialogs.
import { expect, test } from "@jest/globals";
import { bearer, until } from "@tradepost/testing";
import { describeWithBrowser } from "../support/browser.ts";
import { type Dashboard, useDashboard } from "./support/dashboard.ts";

describeWithBrowser("the layout of the dashboard in a browser (if there is one)", () => {
  const dashboard = useDashboard();

  test("columns stay in their places while the times in them change", async () => {
    const { customerId, key } = dashboard.tenant;
    const items = [{ sku: "MUG-1", name: "Mug", quantity: 1, unitPrice: 2 }];
    for (let order = 0; order < 3; order += 1) await key.post("/v1/orders", { customerId, items });
    const { page } = await dashboard.open();
    await page.clock.install();
    await page.goto(`${dashboard.platform.url}/dashboard/orders`);
    await page.getByRole("link", { name: "Ada" }).first().waitFor();
    const columns = `[...document.querySelectorAll("thead th")].map((one) => one.getBoundingClientRect().left)`;
    const before = await page.evaluate(columns);
    for (const [by, text] of [
      ["02:00", "2 minutes ago"],
      ["45:00", "47 minutes ago"],
      ["03:00:00", "4 hours ago"],
      ["23:00:00", "yesterday"],
    ] as const) {
      await page.clock.fastForward(by);
      await page.getByText(text).first().waitFor();
      expect({ text, columns: await page.evaluate(columns) }).toEqual({ text, columns: before });
    }
  });

  test("the whole navigation is visible in a window of 720 pixels", async () => {
    const { page } = await dashboard.open({ width: 1280, height: 720 });
    await page.getByRole("link", { name: "Usage" }).waitFor();
    const hidden = `[...document.querySelectorAll(".side :is(a, button)")]
      .filter((one) => one.checkVisibility() && one.getBoundingClientRect().bottom > innerHeight).length`;
    expect(await page.evaluate(hidden)).toBe(0);
    const below = `(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector(".side-areas"))`;
    expect(await page.evaluate(below)).toBeLessThanOrEqual(0);
  });

  test("the buttons of a long dialog stay in view, within its round corners", async () => {
    const { page, ...opened } = await dashboard.open({
      at: "/ai-integrations?create=true",
      width: 390,
      height: 500,
    });
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Cancel" }).waitFor();
    expect(await dialog.evaluate((one) => one.scrollHeight > one.clientHeight)).toBe(true);
    expect(await dialog.getByRole("button", { name: "Cancel" }).isVisible()).toBe(true);
    await opened.picture("long-dialog");
    const hits = (inside: number) => `(() => {
      const { left, right, bottom } = document.querySelector("dialog").getBoundingClientRect();
      return [left + ${inside}, right - ${inside}].map((x) =>
        document.elementFromPoint(x, bottom - ${inside})?.closest(".dialog-actions") !== null);
    })()`;
    expect(await page.evaluate(hits(8))).toEqual([true, true]);
    expect(await page.evaluate(hits(2))).toEqual([false, false]);
  });

  test("every screen fits into its window and is accessible, however long a name without blanks is", async () => {
    const at = await fillWithLongNames(dashboard);
    const { page, ...opened } = await dashboard.open();
    const faults: string[] = [];
    for (const path of at) {
      await page.goto(`${dashboard.platform.url}/dashboard${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await until(
        `the end of all reads of ${path}`,
        async () => (await page.getByText("Loading…").count()) === 0,
      );
      for (const width of [360, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        for (const found of [TOO_WIDE, TOO_SMALL, OVERLAPPING])
          for (const fault of await page.evaluate<string[]>(found))
            faults.push(`${path} at ${width}: ${fault}`);
      }
      await opened.expectAccessible();
    }
    expect(faults).toEqual([]);
    await page.goto(`${dashboard.platform.url}/dashboard/customers`);
    const cut = page.getByRole("link", { name: LONG });
    await cut.hover();
    expect(await cut.getAttribute("title")).toBe(LONG);
    await opened.close();
  });
});

/** What is wider than its place, by how many pixels: the page, or a table in its frame. The ledger scrolls. */
const TOO_WIDE = `[
  ["page", document.documentElement.scrollWidth - innerWidth],
  ...[...document.querySelectorAll(".table-frame:not(.ledger > *)")].map((frame) =>
    [frame.querySelector("caption").textContent, frame.scrollWidth - frame.clientWidth]),
].filter(([, pixels]) => pixels > 0).map((one) => one.join(" is too wide by "))`;

/** Links outside sentences that a finger may miss. */
const TOO_SMALL = `[...document.querySelectorAll("#content :is(.cut > a, .facts dd > a, .facts dd > p > a)")]
  .filter((link) => link.checkVisibility() && link.getBoundingClientRect().height < 24)
  .map((link) => link.outerHTML)`;

/** Rows with two cells in one place. */
const OVERLAPPING = `[...document.querySelectorAll("tbody > tr")].filter((row) => {
  const cells = [...row.children].filter((cell) => cell.checkVisibility()).map((cell) => cell.getBoundingClientRect());
  return cells.some((one, index) => cells.slice(index + 1).some((other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1));
}).map((row) => row.outerHTML)`;

const LONG = "x".repeat(500);

/** Fills a shop with the longest names that each service takes. Returns the paths of all screens. */
async function fillWithLongNames({ platform, tenant }: Dashboard): Promise<string[]> {
  const { key, owner, apiKey } = tenant;
  const idOf = async (response: Promise<{ status: number; body: { data: { id: string } } }>) => {
    const { status, body } = await response;
    expect(status === 201 || body).toBe(true);
    return body.data.id;
  };
  const name = LONG.slice(300);
  await owner.patch("/v1/shop", { name, address: { line1: LONG.slice(245), city: LONG.slice(245) } });
  const email = `${"m".repeat(60)}@${"e".repeat(60)}.example`;
  const code = LONG.slice(245);
  const customerId = await idOf(
    key.post("/v1/customers", { name: LONG, email, phone: "1".repeat(50), externalId: code }),
  );
  const address = { name: LONG, line1: LONG, line2: LONG, city: code, postalCode: code, country: code };
  const orderId = await idOf(
    key.post("/v1/orders", {
      customerId,
      orderNumber: LONG.slice(436),
      externalId: code,
      items: [{ sku: code, name: LONG, quantity: 20_000, unitPrice: 3.1234, description: LONG }],
      shippingAddress: address,
      billingAddress: address,
      customerNote: LONG,
      internalNote: LONG,
    }),
  );
  await key.post(`/v1/orders/${orderId}/payments`, { status: "failed", reference: code });
  await key.post(`/v1/orders/${orderId}/fulfill`, { carrier: code, trackingNumber: code });
  await owner.post("/v1/api-keys", { label: name, scopes: ["read:crm", "write:crm", "read:content"] });
  const userId = await idOf(owner.post("/v1/users", { email, name, role: "admin" }));
  const subscriptionId = await idOf(
    owner.post("/v1/webhooks/subscriptions", {
      name,
      url: `https://127.0.0.1:1/${LONG}`,
      events: ["redirect.added", "content.entry.published", "media.uploaded"],
      headers: { [`x-${LONG.slice(440)}`]: LONG },
      filter: { fromPrefix: [`/${LONG}`] },
    }),
  );
  const fields = ["text", "richtext"].map((type) => ({ key: `${type}${LONG.slice(450)}`, type }));
  const type = LONG.slice(436);
  expect((await owner.put(`/v1/content-types/${type}`, { name, fields })).status).toBeLessThan(300);
  const data = Object.fromEntries(fields.map((field) => [field.key, LONG]));
  const entryId = await idOf(key.post("/v1/entries", { type, slug: name, data }));
  expect((await key.post(`/v1/entries/${entryId}/publish`, {})).status).toBe(200);
  const form = new FormData();
  form.append("file", new Blob(["text"], { type: "text/plain" }), `${LONG.slice(260)}.txt`);
  const uploaded = await fetch(`${platform.url}/v1/media`, {
    method: "POST",
    headers: bearer(apiKey),
    body: form,
  });
  expect(uploaded.status).toBe(201);
  const mediaId = ((await uploaded.json()) as { data: { id: string } }).data.id;
  await idOf(key.post("/v1/redirects", { from: `/${LONG}`, to: `https://shop.example/${LONG}` }));
  const delivery = await until("an attempt", async () => {
    const { body } = await owner.get("/v1/webhooks/deliveries?type=redirect.added");
    return body.data[0]?.attemptCount > 0 ? body.data[0] : undefined;
  });
  return [
    "/",
    "/ai-integrations",
    "/reports",
    "/orders",
    "/orders/new",
    `/orders/new?customerId=${customerId}`,
    "/orders/import",
    `/orders/${orderId}`,
    `/orders?search=${LONG.slice(420)}`,
    "/customers",
    `/customers/${customerId}`,
    "/entries",
    `/entries/new?type=${type}`,
    `/entries/${entryId}`,
    "/content-types",
    `/content-types/${type}`,
    "/media",
    `/media/${mediaId}`,
    "/redirects",
    "/webhooks",
    "/webhooks/event-types",
    `/webhooks/${subscriptionId}`,
    `/webhooks/${subscriptionId}/ledger`,
    "/deliveries",
    `/deliveries/${delivery.id}`,
    "/events",
    `/events/${delivery.eventId}`,
    "/notices",
    "/shop",
    "/staff",
    `/staff/${userId}`,
    "/audit-log",
    "/requests",
    "/usage",
    "/guides",
    ...["receive-webhooks", "use-the-api", "read-the-feed", "connect-an-assistant"].map(
      (guide) => `/guides/${guide}`,
    ),
    "/account",
    `/${LONG}`,
  ];
}
