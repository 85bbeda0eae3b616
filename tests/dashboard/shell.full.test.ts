// What surrounds the screens: the search, the shortcuts, the theme, the settings of the shop, the guides, and what a page shows
// before its data has arrived.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import type { Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import { ROOT } from "../support/compose-file.ts";
import { enter, ownerOf, PHONE, press, tabTo, useDashboard } from "./support/dashboard.ts";

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

const RECEIVERS = path.join(ROOT, "docs/receivers");

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

    // Orders with a SKU are found by the search, and from a line of an order.
    await place(customerId, { ...MUG, sku: "RARE-7" });
    await page.keyboard.press("Control+k");
    await search(page).fill("RARE-7");
    await option(page, "Orders with the SKU RARE-7").click();
    await page.getByText("1 order", { exact: true }).waitFor();
    await page.getByRole("link", { name: /^\d+$/ }).click();
    await page.getByRole("link", { name: "RARE-7" }).click();
    await page.getByText("1 order", { exact: true }).waitFor();
    expect(await page.getByLabel("SKU").inputValue()).toBe("RARE-7");
  });

  test("Ctrl-K finds a customer and an order, and Enter opens them", async () => {
    const customerId = await customer("Zoë Müller");
    const { id, orderNumber } = await place(customerId, { ...MUG, quantity: 3, unitPrice: 7.0001 });
    const { page, ...opened } = await dashboard.open();
    // What is to be paid is rounded, as in the lists.
    await page
      .getByRole("region", { name: "Latest orders" })
      .getByText(/^USD 21\.00$/)
      .waitFor();
    await page.keyboard.press("Control+k");
    await search(page).waitFor();
    await opened.picture("search");
    await page.keyboard.type("muller");
    await option(page, /^Zoë Müller/).waitFor();
    await option(page, `Order ${orderNumber} Zoë Müller · USD 21.00 · Placed`).waitFor();
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
    const { page, ...opened } = await dashboard.open({ ...PHONE });
    await press(page, "Search");
    await search(page).fill("api key");
    await option(page, "API keys").waitFor();
    await option(page, "Create a key").click();
    await page.getByRole("dialog").getByLabel("Label").waitFor();
    await page.keyboard.press("Escape");
    await heading(page, "API keys").waitFor();

    const events = await dashboard.tenant.owner.get(`/v1/webhooks/events?resourceId=${body.data.id}`);
    const eventId = events.body.data[0].id as string;
    await press(page, "Search");
    await search(page).fill(eventId);
    await option(page, "Redirect added").waitFor();
    await opened.expectNoSidewaysScroll();
    await page.keyboard.press("Enter");
    await heading(page, "Event: Redirect added").waitFor();
    await press(page, "Search");
    await search(page).fill("nothing has this name");
    await page.getByText("Nothing found", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await search(page).waitFor({ state: "detached" });

    // An address that does not exist keeps the navigation, and offers no second try.
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${dashboard.platform.url}/dashboard/no-such-page`);
    await heading(page, "There is no such page").waitFor();
    await page.getByRole("navigation", { name: "Areas" }).waitFor();
    const missing = "0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b";
    await page.goto(`${dashboard.platform.url}/dashboard/orders/${missing}`);
    await page.getByText("It may have been deleted, or its address is mistyped.").waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
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

  test("numbers, dates, forms and papers follow the settings of the shop, with the keyboard only at 360 px", async () => {
    const tenant = await dashboard.platform.createTenant();
    const { customerId, key, owner } = tenant;
    const items = [{ sku: "MUG-1", name: "Mug", quantity: 1_500, unitPrice: 1.25 }];
    const { body } = await key.post("/v1/orders", { customerId, currency: "EUR", items });
    const { page, ...opened } = await dashboard.open({ as: ownerOf(tenant), at: "/shop", ...PHONE });
    for (const [label, choice] of Object.entries({
      Currency: "EUR",
      "Numbers and dates": "de-DE",
      "Time zone": "Asia/Tokyo",
    }))
      await page.getByLabel(label).selectOption(choice);
    await tabTo(page, "Street and number");
    await page.keyboard.type("1 Quay");
    await opened.expectNoSidewaysScroll("shop-narrow");
    await tabTo(page, "E-mail");
    await page.keyboard.type("nobody");
    await page.keyboard.press("Enter");
    await page.locator(".field-error").waitFor();
    expect(await page.evaluate("document.activeElement.name")).toBe("address.email");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("hello@shop.example");
    await page.keyboard.press("Enter");
    await page.getByText("The settings of the shop are saved.").waitFor();
    const { body: shop } = await owner.get("/v1/shop");
    expect(shop.data).toMatchObject({
      ...{ currency: "EUR", locale: "de-DE", timeZone: "Asia/Tokyo" },
      address: { line1: "1 Quay", email: "hello@shop.example" },
    });

    await page.goto(`${dashboard.platform.url}/dashboard/orders/${body.data.id}`);
    await page.getByText("1.875,00").first().waitFor();
    const placed = new Date(body.data.createdAt);
    await page
      .getByText(
        placed.toLocaleString("de", { timeZone: "Asia/Tokyo", dateStyle: "medium", timeStyle: "medium" }),
      )
      .first()
      .waitFor();
    await page.evaluate("window.print = () => undefined");
    await press(page, "Print packing slip");
    expect(await page.locator(".paper").textContent()).toContain("1 Quay");
    await page.goto(`${dashboard.platform.url}/dashboard/orders/new`);
    expect(await page.getByLabel("Currency").inputValue()).toBe("EUR");
  });

  test("the guides have the shop's own address and key, and every receiver of the documentation", async () => {
    const { url } = dashboard.platform;
    const [, , keyId] = dashboard.tenant.apiKey.split("_");
    const { page, ...opened } = await dashboard.open();
    await page.getByRole("link", { name: "Guides" }).click();
    await page.getByRole("heading", { name: "Guides" }).waitFor();
    await opened.picture("guides");
    await page.getByRole("link", { name: "Use the API" }).click();
    await page.getByText(`curl -sS ${url}/v1/me -H 'Authorization: Bearer sk_live_${keyId}_…'`).waitFor();
    await page.getByText(`npm install ${url}/client.tgz`).waitFor();
    await opened.picture("guide-api");
    await page.getByRole("link", { name: "read the feed" }).click();
    await page.getByText(`${url}/v1/orders/events?after=now`).waitFor();
    await page.getByRole("link", { name: "All guides" }).click();
    await page.getByRole("link", { name: "Connect an assistant" }).click();
    await page.getByText(`claude mcp add --transport http tradepost ${url}/mcp`).waitFor();
    await page.getByRole("link", { name: "All guides" }).click();

    await page.getByRole("link", { name: "Receive webhooks" }).click();
    const language = page.getByLabel("Language");
    const shown: string[] = [];
    for (const value of await language
      .locator("option")
      .evaluateAll((all) => all.map((one) => one.getAttribute("value")))) {
      await language.selectOption(value);
      const code = page.getByText(readFileSync(path.join(RECEIVERS, String(value)), "utf8").slice(0, 40));
      await code.waitFor();
      shown.push(String(value));
    }
    expect(shown.toSorted()).toEqual(readdirSync(RECEIVERS).toSorted());
    await opened.picture("guide-webhooks");
    await page.setViewportSize(PHONE);
    await enter(page, "All guides");
    await enter(page, "Connect an assistant");
    await page.getByText(`claude mcp add --transport http tradepost ${url}/mcp`).waitFor();
    await opened.picture("guide-narrow");
    await page.goto(`${dashboard.platform.url}/dashboard/guides/cooking`);
    await page.getByText("There is no such guide").waitFor();
  });

  test("a chosen theme is kept, and set before the page is painted", async () => {
    const { page, ...opened } = await dashboard.open();
    await page.emulateMedia({ colorScheme: "light" });
    const back = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    await heading(page, "Test Shop").waitFor();
    const light = await back();
    await press(page, "Theme");
    await opened.expectAccessible("theme");
    await page.emulateMedia({ colorScheme: "light" });
    await press(page, "Dark");
    expect(await back()).not.toBe(light);
    // Nothing but the page has arrived.
    await page.route(/\/dashboard\/assets\//, () => undefined);
    await page.reload({ waitUntil: "commit" });
    await painted(page);
    expect(await page.evaluate("document.documentElement.style.colorScheme")).toBe("dark");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.reload();
    await press(page, "Theme");
    await press(page, "As the system");
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
