// The Console shows what happens between a request and its webhook; deliveries, events and the overview show what was sent, with
// which result, and why an event did not arrive.
import { until } from "@tradepost/testing";
import { describeWithBrowser } from "../support/browser.ts";
import type { TestTenant } from "../support/test-platform.ts";
import { type Behaviours, ownerOf, PHONE, useDashboard, useReceiver } from "./support/dashboard.ts";
import { exactly, gone, heading, inDialog, linkTo, rowWith } from "./support/places.ts";
import * as shop from "./support/shop.ts";
import * as user from "./support/user.ts";

const HOSTILE = `<img src=x onerror="document.title='stolen'"> ${"w".repeat(300)} \u202eevil`;

const LONG = `Receiver${"x".repeat(192)}`;

describeWithBrowser("deliveries, events and the overview in a browser (if there is one)", () => {
  const dashboard = useDashboard();
  const behaviours: Behaviours = {};
  const receiver = useReceiver(behaviours);
  let busy: TestTenant;
  beforeAll(async () => {
    // The delivery of this tenant fails eight times while the other tests run.
    busy = await dashboard.platform.createTenant();
    behaviours[pathOf(LONG)] = () => 500;
    await subscribe(busy, LONG);
    await redirect(busy, "/from-b");
  });

  const pathOf = (name: string) => `/${name.replace(/\W/g, "").slice(0, 20)}`;
  const subscribe = (tenant: TestTenant, name: string, events?: string[]) =>
    shop.subscribe(tenant, { name, url: `${receiver.url}${pathOf(name)}`, ...(events && { events }) });
  const redirect = async (tenant: TestTenant, from: string) =>
    (await tenant.key.post("/v1/redirects", { from, to: "/new" })).body.data.id as string;
  const itemsOf = async ({ owner }: TestTenant, path: string) =>
    (await owner.get(path)).body.data as { id: string; name: string; from: string }[];
  const isEmpty = (tenant: TestTenant, path: string) =>
    until(`no item of ${path}`, async () => (await itemsOf(tenant, path)).length === 0);

  test("a new shop finds its first steps, of which the Console is one, until they are done", async () => {
    const tenant = await dashboard.platform.createTenant();
    const { page, ...opened } = await dashboard.open({ as: ownerOf(tenant), at: "/" });
    await user.see(page, heading("First steps"));
    expect(await page.getByRole("heading", { name: "Needs attention", exact: true }).count()).toBe(0);
    expect(await page.getByRole("listitem").filter({ hasText: "(done)" }).count()).toBe(1);
    await opened.expectAccessible();

    await user.follow(page, /^Deliveries$/, heading("Nothing was delivered yet"));
    expect(await user.hrefOf(page, "Create a subscription")).toBe("/dashboard/webhooks?create=true");
    await user.follow(page, "Why did nothing arrive?", heading("Nothing has happened yet"));

    const item = { sku: "A-1", name: "Mug", quantity: 1, unitPrice: 19.99 };
    await tenant.key.post("/v1/orders", { customerId: tenant.customerId, items: [item] });
    const id = await subscribe(tenant, "First", ["media.uploaded"]);
    await user.follow(page, "Overview");
    await user.follow(page, "See a webhook arrive", "Press a button.");
    await user.press(page, "Add a redirect");
    const own = page.getByRole("region", { name: "POST /v1/redirects" });
    await user.see(page, own.getByText("Signature verified"), own.getByText("X-service-Signature: sha256="));
    await user.see(page, own.getByText("Acknowledged"));
    const steps = await own.getByRole("listitem").allTextContents();
    expect(steps.map((text) => text.replace(/ -?\d+ ms/, "")).toSorted()).toEqual([
      "Acknowledged",
      "Arrived",
      "Committed",
      "Published, fanned out",
      "Request",
      "Response",
      "Signed, sent",
    ]);
    await tenant.key.post("/v1/redirects", { from: "/by-curl", to: "/new" });
    const other = page.getByRole("region", { name: "A request of another program" });
    await user.see(page, other.getByText('"from": "/by-curl"'), other.getByText("Signature verified"));
    await user.follow(page, /^Overview$/);
    await isEmpty(tenant, "/v1/webhooks/listeners");
    await until("the redirect of the other program only", async () => {
      const redirects = await itemsOf(tenant, "/v1/redirects");
      return redirects.length === 1 && redirects[0]?.from === "/by-curl";
    });

    await tenant.owner.post(`/v1/webhooks/subscriptions/${id}/test`, {});
    await user.see(page, gone(heading("First steps")), linkTo("1001"));
    await user.follow(page, "File uploaded", "Delivered on attempt 1", exactly("Test"));
  });

  test("with the keyboard on a phone, an order of a new shop is seen in the feed, and closing the tab ends the listener", async () => {
    const tenant = await dashboard.platform.createTenant();
    const { page, ...opened } = await dashboard.open({ as: ownerOf(tenant), at: "/console", ...PHONE });
    await user.see(page, "Press a button.");
    await user.enter(page, "Place an order");
    const order = page.getByRole("region", { name: "POST /v1/orders" });
    await user.see(page, order.getByText('"type": "order.placed"'));
    await user.press(page, "Add a redirect", "Signature verified");
    await opened.expectAccessible();
    expect(await itemsOf(tenant, "/v1/customers?externalId=console")).toHaveLength(1);
    await page.goto("about:blank");
    await isEmpty(tenant, "/v1/webhooks/listeners");
    await isEmpty(tenant, "/v1/redirects");
  });

  test("a delivery is seen to be tried again, and its page says everything about it", async () => {
    const { tenant } = dashboard;
    const name = "Shop & <b>Sons</b>";
    let requests = 0;
    behaviours[pathOf(name)] = () => {
      requests += 1;
      return requests > 1 ? 200 : (res) => void res.writeHead(500).end(HOSTILE);
    };
    const subscriptionId = await subscribe(tenant, name);
    const silent = await subscribe(tenant, "Silent", ["media.uploaded"]);
    const resourceId = await redirect(tenant, "/from-a");
    await shop.deliveries(tenant, `subscriptionId=${subscriptionId}&status=retrying`);
    const { page } = await dashboard.open({ at: "/deliveries" });
    const row = page.getByRole("row", { name: "Redirect added" });
    await user.see(page, row.getByText(/attempt 2 in 0:\d\d/), row.getByText(name));
    await row.getByRole("link", { name: "Redirect added" }).click();
    await user.see(page, "Waits for attempt 2, in 0:", "Delivered on attempt 2");
    await user.back(page, row.getByText("Delivered", { exact: true }));
    expect(await row.locator("[data-name=Response]").textContent()).toBe("200");
    expect(await row.locator("[data-name=Duration]").textContent()).toMatch(/^\d+(\.\d)? m?s$/);
    await redirect(tenant, "/from-d");
    await user.click(page.getByRole("button", { name: "1 new delivery" }), row.nth(1));

    await row.last().getByRole("link", { name: "Redirect added" }).click();
    await user.see(page, "The receiver responds with 500.");
    await page.getByText("The response: 500").click();
    expect(await page.locator(".attempt pre").last().textContent()).toBe(HOSTILE);
    const [first, second] = receiver.received.filter(({ path }) => path === pathOf(name));
    await page.getByText("Body, byte for byte").click();
    await page.getByText("Headers", { exact: true }).click();
    await page.getByText("As curl", { exact: true }).click();
    const parts = await page.locator(".request-parts pre").allTextContents();
    expect(parts[0]).toContain("•••");
    expect(parts[2]).toBe(second?.body.toString());
    expect(parts[3]).toContain("curl -sS -X POST 'https://localhost");
    expect(await page.content()).not.toContain("its-own");
    expect(first?.headers["x-service-delivery"]).toBe(second?.headers["x-service-delivery"]);
    expect(await page.title()).toBe("Delivery: Redirect added · Tradepost");

    // The page of an event explains why it did not arrive.
    const late = await subscribe(tenant, "Late");
    await user.follow(page, "Redirect added", heading("Who got it"));
    const why = (name: string) => page.getByRole("row", { name });
    await user.see(page, why("Shop").getByText("It arrived: the receiver accepted it."));
    expect(await why("Silent").isVisible()).toBe(false);
    await page.getByText("2 other receivers did not match").click();
    await user.see(page, why("Silent").getByText("does not ask for “Redirect added”"));
    await user.see(page, why("Late").getByText("Replay what is missing"));
    expect(await user.hrefOf(why("Silent"), "Open the subscription")).toBe(`/dashboard/webhooks/${silent}`);
    await user.follow(page, "All events about it", rowWith("Redirect added", "Delivered"));
    expect(new URL(page.url()).search).toBe(`?resourceId=${resourceId}`);
    for (const id of [subscriptionId, silent, late])
      await tenant.owner.delete(`/v1/webhooks/subscriptions/${id}`);
  });

  test("what failed needs attention, and is redelivered with the keyboard at 360 px", async () => {
    await busy.owner.post("/v1/api-keys", {
      label: "Till",
      scopes: [],
      expiresAt: new Date(Date.now() + 3 * 24 * 3_600_000 + 60_000).toISOString(),
    });
    const item = { sku: "A-1", name: "Mug", quantity: 2, unitPrice: 1234.5 };
    await busy.key.post("/v1/orders", { customerId: busy.customerId, items: [item] });

    const [{ id }] = await shop.deliveries(busy, "status=failed");
    const { page } = await dashboard.open({ as: ownerOf(busy), at: "/", ...PHONE });
    await user.see(page, "8 attempts failed in a row: the receiver responds with 500.");
    await user.see(page, "This API key expires in 3 days");
    await user.see(page, page.getByRole("region", { name: "Latest orders" }).getByText("USD 2,469.00"));
    await page.setViewportSize({ width: 1280, height: 800 });
    // A part that cannot be read hides no other part, and is read again.
    let isBroken = true;
    await page.route("**/v1/webhooks/subscriptions?limit=100", async (route) => {
      if (!isBroken) return await route.continue();
      const error = { code: "forbidden", message: "not now", requestId: "r-1" };
      await route.fulfill({ status: 403, json: { success: false, error } });
    });
    await user.reload(page, "The subscriptions could not be read.");
    await user.see(page, page.getByRole("link", { name: "Redirect added" }).first());
    const again = await page.getByRole("button", { name: "Try again" }).elementHandle();
    isBroken = false;
    // Not a click, which waits for the button: the screen may read again by itself meanwhile.
    await again?.dispatchEvent("click");
    await user.see(page, gone("The subscriptions could not be read."));
    await page.setViewportSize(PHONE);
    await user.enter(page, "1 delivery failed in the last 24 hours", rowWith("Redirect added", "Failed"));
    expect(new URL(page.url()).search).toMatch(/^\?status=failed&from=/);
    await user.enter(page, "Redirect added", "Failed after 8 attempts: the receiver responds with 500");
    expect(new URL(page.url()).pathname).toBe(`/dashboard/deliveries/${id}`);

    behaviours[pathOf(LONG)] = () => 204;
    await user.enter(page, "Redeliver", inDialog("The delivery id stays the same"));
    await user.enter(page, "Redeliver", "Delivered on attempt 1", "redelivery 1");
    const ids = receiver.received
      .filter(({ path }) => path === pathOf(LONG))
      .map(({ headers }) => headers["x-service-delivery"]);
    expect(ids).toEqual(Array.from({ length: 9 }, () => id));
    await user.enter(page, "Redirect added", "It arrived: the receiver accepted it.");
    await user.enter(page, "All events about it", rowWith("Redirect added", "Delivered"));
  });

  test("several deliveries are redelivered, with a result for each", async () => {
    const tenant = await dashboard.platform.createTenant();
    const kept = await subscribe(tenant, "Kept");
    const deleted = await subscribe(tenant, "Gone");
    await redirect(tenant, "/many-a");
    await redirect(tenant, "/many-b");
    await shop.deliveries(tenant, "status=delivered", 4);
    await tenant.owner.delete(`/v1/webhooks/subscriptions/${deleted}`);
    const { page } = await dashboard.open({ as: ownerOf(tenant), at: "/deliveries" });
    await user.see(page, page.getByRole("row", { name: "Redirect added" }).nth(3));
    expect(await page.getByRole("button", { name: /^Redeliver/ }).count()).toBe(0);
    await page
      .getByRole("checkbox", { name: /^Redirect added/ })
      .first()
      .check();
    await user.see(page, page.getByRole("button", { name: "Redeliver 1 delivery" }));
    await page.getByLabel("Select all shown").check();
    await user.press(page, "Redeliver 4 deliveries", inDialog("a new set of attempts"));
    await user.pressIn(page, "Redeliver 4 deliveries", "Finished. 2 done, 2 failed.");
    const results = page.getByRole("table", { name: "Results" });
    expect(await results.getByText("Queued").count()).toBe(2);
    expect(await results.getByText("Failed").count()).toBe(2);
    await user.see(page, results.getByText(/subscription.*deleted/).first());
    await user.pressIn(page, "Close");
    const isKept = ({ path }: { path: string }) => path === pathOf("Kept");
    await until("the two requests", () => receiver.received.filter(isKept).length === 4);
    expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(0);
    expect(await itemsOf(tenant, `/v1/webhooks/deliveries?subscriptionId=${kept}`)).toHaveLength(2);
  });
});
