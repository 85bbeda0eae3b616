// What surrounds the screens: the search, the shortcuts, the theme, the way back, and what a page shows before its data has
// arrived.
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import type { Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import { tabTo, useDashboard } from "./support/dashboard.ts";

const MUG = { sku: "MUG", name: "Mug", quantity: 1, unitPrice: 9, taxAmount: 0 };

const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1, exact: true });
const search = (page: Page) => page.getByRole("combobox", { name: /^Search/ });
const option = (page: Page, name: string | RegExp) => page.getByRole("option", { name });
const focused = (page: Page) =>
  page.evaluate("document.activeElement.innerText ?? document.activeElement.textContent");

const painted = (page: Page) =>
  until(
    "the first paint with content",
    async () =>
      Number(await page.evaluate("performance.getEntriesByName('first-contentful-paint').length")) > 0,
  );

// Round trips of 400 ms, and 400 kbit/s.
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

describeWithBrowser("the shell of the dashboard in a browser (if there is one)", () => {
  const dashboard = useDashboard();

  const customer = async (name: string) => {
    const { body, status } = await dashboard.tenant.key.post("/v1/customers", { name });
    expect(status).toBe(201);
    return body.data.id as string;
  };
  const place = async (customerId = dashboard.tenant.customerId, item: object = MUG) => {
    const order = { customerId, items: [item] };
    const { body, status } = await dashboard.tenant.key.post("/v1/orders", order);
    expect(status).toBe(201);
    return body.data as { id: string; orderNumber: string };
  };

  test("the search leads to the list of all that it finds, whose rows are links", async () => {
    const customerId = await customer("Änne Groß");
    for (let count = 0; count < 6; count += 1) await place(customerId);
    for (let count = 0; count < 6; count += 1) await customer(`True Coffee ${count}`);
    const { page } = await dashboard.open();
    await heading(page, "Test Shop").waitFor();
    // A word that is also JSON stays a text in the address.
    await page.keyboard.press("Control+k");
    await search(page).fill("true");
    await option(page, "All customers with “true”").click();
    await heading(page, "Customers").waitFor();
    expect(await page.getByLabel("Name, e-mail or phone").inputValue()).toBe("true");
    await until("the customers found", async () => (await page.getByRole("row").count()) === 7);
    await page.keyboard.press("Control+k");
    await search(page).fill("anne gro");
    await option(page, "All orders with “anne gro”").click();
    await heading(page, "Orders").waitFor();
    expect(await page.getByLabel("Search", { exact: true }).inputValue()).toBe("anne gro");
    await until("the orders found", async () => (await page.getByRole("row").count()) === 7);
    await page.goto(`${dashboard.platform.url}/dashboard/customers?search=anne`);
    // In its middle, where no text of the link is.
    await page.getByRole("row", { name: /Änne Groß/ }).click();
    await heading(page, "Änne Groß").waitFor();
  });

  test("the search and the overview show what is to be paid, as the lists do", async () => {
    await place(await customer("Rounded Down"), { ...MUG, quantity: 3, unitPrice: 7.0001 });
    const { page } = await dashboard.open();
    await page
      .getByRole("region", { name: "Latest orders" })
      .getByText(/^USD 21\.00$/)
      .waitFor();
    await page.keyboard.press("Control+k");
    await search(page).fill("rounded");
    await option(page, /Rounded Down · USD 21\.00 · Placed/).waitFor();
  });

  test("Ctrl-K finds a customer and an order, and Enter opens them", async () => {
    const customerId = await customer("Zoë Müller");
    const { id, orderNumber } = await place(customerId);
    const { page, ...opened } = await dashboard.open();
    await heading(page, "Test Shop").waitFor();
    await page.keyboard.press("Control+k");
    await search(page).waitFor();
    await opened.picture("search");
    await page.keyboard.type("muller");
    await option(page, /^Zoë Müller/).waitFor();
    await option(page, `Order ${orderNumber} Zoë Müller`).waitFor();
    await opened.expectAccessible("search-results");
    await page.keyboard.press("Enter");
    await heading(page, `Order ${orderNumber}`).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/dashboard/orders/${id}`);

    // Enter may come before the results.
    await page.keyboard.press("Control+k");
    await search(page).fill("zoë");
    await page.keyboard.press("Enter");
    await search(page).waitFor({ state: "detached" });
    await heading(page, `Order ${orderNumber}`).waitFor();

    await page.keyboard.press("/");
    await search(page).fill("zo");
    await option(page, /^Zoë Müller/).waitFor();
    // An order that appears later would move the selection.
    await option(page, `Order ${orderNumber} Zoë Müller`).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await page.getByRole("option", { selected: true }).textContent()).toContain("Zoë Müller");
    await page.keyboard.press("Enter");
    await heading(page, "Zoë Müller").waitFor();
  });

  test("an id leads to what has it, and a screen is found by its other name", async () => {
    const { body } = await dashboard.tenant.owner.post("/v1/redirects", { from: "/a", to: "/b" });
    const { page, ...opened } = await dashboard.open({ width: 360 });
    await page.getByRole("button", { name: "Search" }).click();
    await search(page).fill("api key");
    await option(page, "API keys").waitFor();
    await option(page, "Create a key").click();
    await page.getByRole("dialog").getByLabel("Label").waitFor();
    await page.keyboard.press("Escape");
    await heading(page, "API keys").waitFor();

    const events = await dashboard.tenant.owner.get(`/v1/webhooks/events?resourceId=${body.data.id}`);
    const eventId = events.body.data[0].id as string;
    await page.getByRole("button", { name: "Search" }).click();
    await search(page).fill(eventId);
    await option(page, "Redirect added").waitFor();
    await opened.expectNoSidewaysScroll();
    await page.keyboard.press("Enter");
    await heading(page, "Event: Redirect added").waitFor();
    await page.getByRole("button", { name: "Search" }).click();
    await search(page).fill("nothing has this name");
    await page.getByText("Nothing found", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await search(page).waitFor({ state: "detached" });
  });

  test("single keys open screens and rows, and can be turned off", async () => {
    await place();
    const { id, orderNumber } = await place();
    const { page, ...opened } = await dashboard.open();
    await heading(page, "Test Shop").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("o");
    await heading(page, "Orders").waitFor();
    await page.getByRole("table").waitFor();
    // A box that has been ticked takes no letters.
    await page.getByLabel(`Select order ${orderNumber}`, { exact: true }).check();
    await page.keyboard.press("k");
    expect(await focused(page)).toBe("");
    await page.keyboard.press("j");
    expect(await focused(page)).not.toBe("");
    await page.keyboard.press("k");
    expect(await focused(page)).toBe(orderNumber);
    await page.evaluate("document.activeElement.blur()");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/orders/${id}`);
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
    await opened.expectAccessible("shortcuts");
    await page.getByLabel("Use shortcuts of single keys").click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await page.keyboard.press("Control+k");
    await search(page).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/dashboard/orders/${id}`);
  });

  test("new orders are counted above the list, and shown on request", async () => {
    const first = await place();
    const { page, ...opened } = await dashboard.open({ at: "/orders" });
    const row = ({ orderNumber }: { orderNumber: string }) => page.getByRole("row", { name: orderNumber });
    await row(first).waitFor();
    const [second, third] = [await place(), await place()];
    await page.getByRole("button", { name: "2 new orders" }).waitFor();
    expect(await row(second).count()).toBe(0);
    await opened.picture("new-orders");
    // A change of a shown order appears in its row.
    await dashboard.tenant.owner.post(`/v1/orders/${first.id}/cancel`, { reason: "Test" });
    await row(first).getByText("Cancelled").waitFor();
    await page.getByRole("button", { name: "2 new orders" }).click();
    await row(third).waitFor();
    expect(await focused(page)).toBe(third.orderNumber);
    expect(await page.getByRole("button", { name: /new order/ }).count()).toBe(0);
  });

  test("a period is chosen with one click, an id copied with one, and the way back has the period", async () => {
    const { id, orderNumber } = await place();
    const { page, ...opened } = await dashboard.open({ at: "/orders" });
    await page.getByText("More filters").click();
    await page.getByText(/^Times are in /).waitFor();
    await page.getByRole("button", { name: "7 days" }).click();
    await page.getByRole("button", { name: "7 days", pressed: true }).waitFor();
    const filters = new URL(page.url()).search;
    expect(new URLSearchParams(filters).get("from")).toBe(await page.getByLabel("From").inputValue());
    await page.getByRole("link", { name: orderNumber }).click();
    await page.getByRole("button", { name: /Copy the order id$/ }).click();
    await page.getByRole("button", { name: /Copied$/ }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(id);
    await page.setViewportSize({ width: 360, height: 740 });
    await opened.expectNoSidewaysScroll();
    await tabTo(page, "All orders");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/orders${filters}`);
  });

  test("an address that does not exist keeps the navigation, and offers no second try", async () => {
    const { page } = await dashboard.open({ at: "/no-such-page" });
    await heading(page, "There is no such page").waitFor();
    await page.getByRole("navigation", { name: "Areas" }).waitFor();
    const missing = "0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b";
    await page.goto(`${dashboard.platform.url}/dashboard/orders/${missing}`);
    await page.getByText("It may have been deleted, or its address is mistyped.").waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  });

  test("a chosen theme is kept, and set before the page is painted", async () => {
    const { page, ...opened } = await dashboard.open();
    await page.emulateMedia({ colorScheme: "light" });
    const back = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    await heading(page, "Test Shop").waitFor();
    const light = await back();
    await page.getByRole("button", { name: "Theme" }).click();
    await opened.expectAccessible("theme");
    await page.emulateMedia({ colorScheme: "light" });
    await page.getByRole("button", { name: "Dark" }).click();
    expect(await back()).not.toBe(light);
    // Nothing but the page has arrived.
    await page.route(/\/dashboard\/assets\//, () => undefined);
    await page.reload({ waitUntil: "commit" });
    await painted(page);
    expect(await page.evaluate("document.documentElement.style.colorScheme")).toBe("dark");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.reload();
    await page.getByRole("button", { name: "Theme" }).click();
    await page.getByRole("button", { name: "As the system" }).click();
    expect(await back()).toBe(light);
    expect(await page.evaluate("localStorage.getItem('tradepost-theme')")).toBe(null);
    await opened.close();
  });

  test("the first response is painted, and the session is read while the scripts load", async () => {
    const { page } = await dashboard.open({ at: "/sign-in" });
    await heading(page, "Test Shop").waitFor();
    const styles = Promise.withResolvers<void>();
    const scripts = Promise.withResolvers<void>();
    await page.route(/\.css$/, (route) => styles.promise.then(() => route.continue()));
    await page.route(/assets\/main-[^/]*\.js$/, (route) => scripts.promise.then(() => route.continue()));
    const me = page.waitForResponse("**/v1/me");
    await page.goto(`${dashboard.platform.url}/dashboard/orders`, { waitUntil: "commit" });
    await painted(page);
    await page.getByRole("status", { name: "Loading…" }).waitFor();
    styles.resolve();
    expect((await me).status()).toBe(200);
    scripts.resolve();
    await heading(page, "Orders").waitFor();
    expect(await page.getByRole("status", { name: "Loading…" }).count()).toBe(0);
    await page.unrouteAll();
    // On a slow network, no file is waited for before the first paint.
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
    await devtools.send("Network.emulateNetworkConditions", SLOW_3G);
    await page.reload({ waitUntil: "commit" });
    await painted(page);
    const early = `performance.getEntriesByType("resource").filter(({ renderBlockingStatus, responseEnd }) =>
      renderBlockingStatus === "blocking" ||
      responseEnd <= performance.getEntriesByName("first-contentful-paint")[0].startTime).map(({ name }) => name)`;
    await heading(page, "Orders").waitFor();
    expect(await page.evaluate(early)).toEqual([]);
  });
});
