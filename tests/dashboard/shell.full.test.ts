// The parts around the screens: the search, the shortcuts, the theme, the settings of the shop, the guides, and the page before its
// data has arrived.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "@tradepost/devstack";
import { until } from "@tradepost/testing";
import type { Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import { ownerOf, PHONE, useDashboard } from "./support/dashboard.ts";
import { dialog, exactly, firstOf, gone, heading, title } from "./support/places.ts";
import * as shop from "./support/shop.ts";
import * as user from "./support/user.ts";

const MUG = { sku: "MUG", name: "Mug", quantity: 1, unitPrice: 9, taxAmount: 0 };

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

  const customer = async (name: string) =>
    (await shop.made<{ id: string }>(dashboard.tenant.key.post("/v1/customers", { name }))).id;
  const place = (customerId = dashboard.tenant.customerId, item: object = MUG) =>
    shop.place(dashboard.tenant, { customerId, items: [item] });

  test("the search leads to the list of all that it finds, whose rows are links", async () => {
    const customerId = await customer("Änne Groß");
    for (let count = 0; count < 6; count += 1) await place(customerId);
    for (let count = 0; count < 6; count += 1) await customer(`True Coffee ${count}`);
    const { page } = await dashboard.open({}, title("Test Shop"));
    // A word that is also JSON stays a text in the address.
    await page.keyboard.press("Control+k");
    await search(page).fill("true");
    await user.click(option(page, "All customers with “true”"), title("Customers"));
    expect(await page.getByLabel("Name, e-mail or phone").inputValue()).toBe("true");
    await until("the customers found", async () => (await page.getByRole("row").count()) === 7);
    await page.keyboard.press("Control+k");
    await search(page).fill("anne gro");
    await user.click(option(page, "All orders with “anne gro”"), title("Orders"));
    expect(await page.getByLabel("Search", { exact: true }).inputValue()).toBe("anne gro");
    await until("the orders found", async () => (await page.getByRole("row").count()) === 7);
    await user.goTo(page, "/customers?search=anne");
    // Clicks the middle of the row, outside the link's text.
    await user.click(page.getByRole("row", { name: /Änne Groß/ }), title("Änne Groß"));

    // Orders with a SKU are found by the search, and from a line of an order.
    await place(customerId, { ...MUG, sku: "RARE-7" });
    await page.keyboard.press("Control+k");
    await search(page).fill("RARE-7");
    await user.click(option(page, "Orders with the SKU RARE-7"), page.getByText("1 order", { exact: true }));
    await user.follow(page, /^\d+$/);
    await user.follow(page, "RARE-7", exactly("1 order"));
    expect(await page.getByLabel("SKU").inputValue()).toBe("RARE-7");
  });

  test("Ctrl-K finds a customer and an order, and Enter opens them", async () => {
    const customerId = await customer("Zoë Müller");
    const { id, orderNumber } = await place(customerId, { ...MUG, quantity: 3, unitPrice: 7.0001 });
    const { page, ...opened } = await dashboard.open();
    // The open amount is rounded, as in the lists.
    await user.see(page, page.getByRole("region", { name: "Latest orders" }).getByText(/^USD 21\.00$/));
    await user.key(page, "Control+k", search(page));
    await page.keyboard.type("muller");
    const found = option(page, `Order ${orderNumber} Zoë Müller · USD 21.00 · Placed`);
    await user.see(page, option(page, /^Zoë Müller/), found);
    await opened.expectAccessible();
    await user.key(page, "Enter", title(`Order ${orderNumber}`));
    expect(new URL(page.url()).pathname).toBe(`/dashboard/orders/${id}`);

    // Enter may come before the results.
    await page.keyboard.press("Control+k");
    await search(page).fill("zoë");
    await user.key(page, "Enter", gone(search(page)), title(`Order ${orderNumber}`));

    await page.keyboard.press("/");
    await search(page).fill("zo");
    // An order that appears later would move the selection.
    await user.see(page, option(page, /^Zoë Müller/), found);
    await user.key(page, "ArrowUp ArrowDown ArrowDown");
    expect(await page.getByRole("option", { selected: true }).textContent()).toContain("Zoë Müller");
    await user.key(page, "Enter", title("Zoë Müller"));
  });

  test("an id leads to what has it, and a screen is found by its other name", async () => {
    const { body } = await dashboard.tenant.owner.post("/v1/redirects", { from: "/a", to: "/b" });
    const { page } = await dashboard.open({ ...PHONE });
    await user.press(page, "Search");
    await search(page).fill("api key");
    await user.see(page, option(page, "API keys"));
    await user.click(option(page, "Create a key"), dialog(page).getByLabel("Label"));
    await user.key(page, "Escape", title("API keys"));

    const events = await dashboard.tenant.owner.get(`/v1/webhooks/events?resourceId=${body.data.id}`);
    const eventId = events.body.data[0].id as string;
    await user.press(page, "Search");
    await search(page).fill(eventId);
    await user.see(page, option(page, "Redirect added"));
    await user.key(page, "Enter", title("Event: Redirect added"));
    await user.press(page, "Search");
    await search(page).fill("nothing has this name");
    await user.see(page, exactly("Nothing found"));
    await user.key(page, "Escape", gone(search(page)));

    // An address that does not exist keeps the navigation, and offers no second try.
    await page.setViewportSize({ width: 1280, height: 800 });
    const areas = page.getByRole("navigation", { name: "Areas" });
    await user.goTo(page, "/no-such-page", title("There is no such page"), areas);
    const missing = "0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b";
    await user.goTo(page, `/orders/${missing}`, "It may have been deleted, or its address is mistyped.");
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  });

  test("single keys open screens and rows, and can be turned off", async () => {
    await place();
    const { id, orderNumber } = await place();
    const { page, ...opened } = await dashboard.open({}, title("Test Shop"));
    await user.key(page, "g o", title("Orders"), page.getByRole("table"));
    // A ticked box takes no letters, so the shortcuts work.
    await page.getByLabel(`Select order ${orderNumber}`, { exact: true }).check();
    await page.keyboard.press("k");
    expect(await focused(page)).toBe("");
    await page.keyboard.press("j");
    expect(await focused(page)).not.toBe("");
    await page.keyboard.press("k");
    expect(await focused(page)).toBe(orderNumber);
    await page.evaluate("document.activeElement.blur()");
    await user.key(page, "j j k Enter");
    await page.waitForURL(`**/orders/${id}`);
    await user.key(page, "?", heading("Keyboard shortcuts"));
    await opened.expectAccessible();
    await page.getByLabel("Use shortcuts of single keys").click();
    await user.key(page, "Escape g c Control+k", search(page));
    expect(new URL(page.url()).pathname).toBe(`/dashboard/orders/${id}`);
  });

  test("numbers, dates, forms and papers follow the settings of the shop, with the keyboard only at 360 px", async () => {
    const tenant = await dashboard.platform.createTenant();
    const { customerId, key, owner } = tenant;
    const items = [{ sku: "MUG-1", name: "Mug", quantity: 1_500, unitPrice: 1.25 }];
    const { body } = await key.post("/v1/orders", { customerId, currency: "EUR", items });
    const { page } = await dashboard.open({ as: ownerOf(tenant), at: "/shop", ...PHONE });
    for (const [label, choice] of Object.entries({
      Currency: "EUR",
      "Numbers and dates": "de-DE",
      "Time zone": "Asia/Tokyo",
    }))
      await page.getByLabel(label).selectOption(choice);
    await user.typeAt(page, "Street and number", "1 Quay");
    await user.enterAt(page, "E-mail", "nobody", page.locator(".field-error"));
    expect(await page.evaluate("document.activeElement.name")).toBe("address.email");
    await user.enterAt(page, "E-mail", "hello@shop.example", "The settings of the shop are saved.");
    const { body: shop } = await owner.get("/v1/shop");
    expect(shop.data).toMatchObject({
      ...{ currency: "EUR", locale: "de-DE", timeZone: "Asia/Tokyo" },
      address: { line1: "1 Quay", email: "hello@shop.example" },
    });

    await user.goTo(page, `/orders/${body.data.id}`, firstOf("1.875,00"));
    const placed = new Date(body.data.createdAt);
    await user.see(
      page,
      page
        .getByText(
          placed.toLocaleString("de", { timeZone: "Asia/Tokyo", dateStyle: "medium", timeStyle: "medium" }),
        )
        .first(),
    );
    await page.evaluate("window.print = () => undefined");
    await user.press(page, "Print packing slip");
    expect(await page.locator(".paper").textContent()).toContain("1 Quay");
    await user.goTo(page, "/orders/new");
    expect(await page.getByLabel("Currency").inputValue()).toBe("EUR");
  });

  test("the guides have the shop's own address and key, and every receiver of the documentation", async () => {
    const { url } = dashboard.platform;
    const [, , keyId] = dashboard.tenant.apiKey.split("_");
    const { page } = await dashboard.open();
    await user.follow(page, "Guides", heading("Guides"));
    await user.follow(
      page,
      "Use the API",
      `curl -sS ${url}/v1/me -H 'Authorization: Bearer sk_live_${keyId}_…'`,
    );
    await user.see(page, `npm install ${url}/client.tgz`);
    await user.follow(page, "read the feed", `${url}/v1/orders/events?after=now`);
    await user.follow(page, "All guides");
    await user.follow(page, "Connect an assistant", `claude mcp add --transport http tradepost ${url}/mcp`);
    await user.follow(page, "All guides");

    await user.follow(page, "Receive webhooks");
    const language = page.getByLabel("Language");
    const shown: string[] = [];
    for (const value of await language
      .locator("option")
      .evaluateAll((all) => all.map((one) => one.getAttribute("value")))) {
      await language.selectOption(value);
      const code = page.getByText(readFileSync(path.join(RECEIVERS, String(value)), "utf8").slice(0, 40));
      await user.see(page, code);
      shown.push(String(value));
    }
    expect(shown.toSorted()).toEqual(readdirSync(RECEIVERS).toSorted());
    await page.setViewportSize(PHONE);
    await user.enter(page, "All guides");
    await user.enter(page, "Connect an assistant", `claude mcp add --transport http tradepost ${url}/mcp`);
    await user.goTo(page, "/guides/cooking", "There is no such guide");
  });

  test("a chosen theme is kept, and set before the page is painted", async () => {
    const { page, ...opened } = await dashboard.open();
    await page.emulateMedia({ colorScheme: "light" });
    const back = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    await user.see(page, title("Test Shop"));
    const light = await back();
    await user.press(page, "Theme");
    await opened.expectAccessible();
    await page.emulateMedia({ colorScheme: "light" });
    await user.press(page, "Dark");
    expect(await back()).not.toBe(light);
    // Nothing but the page has arrived.
    await page.route(/\/dashboard\/assets\//, () => undefined);
    await page.reload({ waitUntil: "commit" });
    await painted(page);
    expect(await page.evaluate("document.documentElement.style.colorScheme")).toBe("dark");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.reload();
    await user.press(page, "Theme");
    await user.press(page, "As the system");
    expect(await back()).toBe(light);
    expect(await page.evaluate("localStorage.getItem('tradepost-theme')")).toBe(null);
    await opened.close();
  });

  test("the first response is painted, and the session is read while the scripts load", async () => {
    const { page } = await dashboard.open({ at: "/sign-in" }, title("Test Shop"));
    const styles = Promise.withResolvers<void>();
    const scripts = Promise.withResolvers<void>();
    await page.route(/\.css$/, (route) => styles.promise.then(() => route.continue()));
    await page.route(/assets\/main-[^/]*\.js$/, (route) => scripts.promise.then(() => route.continue()));
    const me = page.waitForResponse("**/v1/me");
    await page.goto(`${dashboard.platform.url}/dashboard/orders`, { waitUntil: "commit" });
    await painted(page);
    await user.see(page, page.getByRole("status", { name: "Loading…" }));
    styles.resolve();
    expect((await me).status()).toBe(200);
    scripts.resolve();
    await user.see(page, title("Orders"));
    expect(await page.getByRole("status", { name: "Loading…" }).count()).toBe(0);
    await page.unrouteAll();
    // On a slow network, the first paint waits for no file.
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.setCacheDisabled", { cacheDisabled: true });
    await devtools.send("Network.emulateNetworkConditions", SLOW_3G);
    await page.reload({ waitUntil: "commit" });
    await painted(page);
    const early = `performance.getEntriesByType("resource").filter(({ renderBlockingStatus, responseEnd }) =>
      renderBlockingStatus === "blocking" ||
      responseEnd <= performance.getEntriesByName("first-contentful-paint")[0].startTime).map(({ name }) => name)`;
    await user.see(page, title("Orders"));
    expect(await page.evaluate(early)).toEqual([]);
  });
});
