// Daily work with many orders in the dashboard: tasks, reports, selections, exports and papers.
import { until } from "@tradepost/testing";
import type { Locator, Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import { descriptionOf, ownerOf, PHONE, refuseOnce, useDashboard } from "./support/dashboard.ts";
import { dialog, gone, heading, inDialog, linkTo } from "./support/places.ts";
import * as shop from "./support/shop.ts";
import * as user from "./support/user.ts";

const ITEM = { sku: "MUG-1", name: "Mug, blue", quantity: 2, unitPrice: 10 };

const VISIBLE_ROWS = `[...document.querySelectorAll("tbody > tr")]
  .filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length`;
const LONGER_THAN_TYPING_MS = 600;
const SMALL_TARGETS = `[...document.querySelectorAll("#content :is(button, .tick, .select-all, select, .tabs a)")]
  .filter((target) => target.checkVisibility() && target.getBoundingClientRect().height < 24)
  .map((target) => target.outerHTML)`;

describeWithBrowser("daily work with orders in a browser (if there is one)", () => {
  const dashboard = useDashboard();

  const place = async (more: object = {}, actions: readonly string[] = []) => {
    const order = await shop.place(dashboard.tenant, { currency: "EUR", items: [ITEM], ...more });
    for (const action of actions)
      await dashboard.tenant.key.post(
        `/v1/orders/${order.id}/${action.replace("!", "")}`,
        action.startsWith("payments") ? { status: action.endsWith("!") ? "failed" : "succeeded" } : {},
      );
    return order;
  };
  /** Returns the list to which each printed text is added. */
  const papersOf = async (page: Page) => {
    const paper: string[] = [];
    await page.exposeFunction("onPaper", (text: string) => void paper.push(text));
    await page.evaluate(`addEventListener("beforeprint", () => {
      onPaper(document.querySelector(".paper")?.textContent ?? "");
    })`);
    return paper;
  };
  const tick = (page: Page, { orderNumber }: { orderNumber: string }) =>
    page.getByLabel(`Select order ${orderNumber}`, { exact: true }).check();

  test("tabs count what is to do, the overview links to them, views are saved, and reports count what was sold", async () => {
    await place({}, ["payments"]);
    await place({ externalId: "web-7" });
    await place({}, ["payments!"]);
    const done = await place({}, ["payments", "fulfill", "deliver"]);
    const { page } = await dashboard.open();
    const toDo = page.getByRole("navigation", { name: "To do" });
    await user.see(page, toDo.getByRole("link", { name: "1 Ready to ship" }));
    await user.see(page, toDo.getByRole("link", { name: "1 Unpaid" }), gone(heading("Needs attention")));
    const placeBefore = (days: number, unitPrice: number) => {
      const placedAt = new Date(Date.now() - days * 24 * 60 * 60 * 1_000).toISOString();
      return place({ placedAt, items: [{ ...ITEM, quantity: 1, unitPrice }] }, [
        "payments",
        "fulfill",
        "deliver",
      ]);
    };
    await placeBefore(45, 50);
    await placeBefore(10, 20);
    await page.reload();
    const sales = page.getByRole("article", { name: "Sales in EUR" });
    await user.see(page, sales.getByText("EUR 100.00 ↑ 100 %"), sales.getByText("5 ↑ 400 %"));
    const table = sales.getByRole("table", { name: "Revenue in EUR, last 30 days" });
    expect(await table.getByRole("row").count()).toBe(31);
    const chart = sales.getByRole("slider", { name: "Revenue in EUR, last 30 days" });
    await chart.press("End");
    await user.see(page, sales.getByText(/: Revenue EUR 80\.00, before EUR 0\.00$/));
    await chart.press("ArrowLeft");
    await user.see(page, sales.getByText(/: Revenue EUR 0\.00, before EUR 0\.00$/));
    // Text for screen readers makes the page no higher.
    const below =
      "document.documentElement.scrollHeight - document.getElementById('app').getBoundingClientRect().height";
    expect(await page.evaluate(`scrollTo(0, 0), Math.round(${below})`)).toBeCloseTo(0);
    await page.setViewportSize(PHONE);
    await page.setViewportSize({ width: 1280, height: 800 });
    await toDo.getByRole("link", { name: "1 Payment failed" }).click();
    const tab = (name: string | RegExp) =>
      page.getByRole("navigation", { name: "Orders by what is to do" }).getByRole("link", { name });
    await user.see(page, tab("Failed payment 1"), page.getByRole("table", { name: "Orders", exact: true }));
    expect(await page.getByRole("row").count()).toBe(2);
    expect(await page.locator(".tabs [aria-current=page]").allTextContents()).toEqual(["Failed payment 1"]);
    for (const [name, orders] of [
      ["Ready to ship 1", 1],
      ["Not shipped 3", 3],
      ["Unpaid 1", 1],
      ["Done", 3],
      ["All", 6],
    ] as const) {
      await tab(name).click();
      await until(`the orders of ${name}`, async () => (await page.getByRole("row").count()) === orders + 1);
    }
    await tab("Not shipped 3").click();
    expect(await page.getByRole("button", { name: "Save these filters as a view" }).count()).toBe(0);
    await page.getByLabel("Search").fill("web-7");
    await until("the order found", async () => (await page.getByRole("row").count()) === 2);
    await user.press(page, "Save these filters as a view");
    await dialog(page).getByLabel("Name").fill("Web");
    await user.pressIn(page, "Save view");
    await tab("Done").click();
    await user.fill(page, { Search: "" }, linkTo(done.orderNumber));
    await page.reload();
    await user.follow(page, /^Web$/);
    expect(await page.getByLabel("Search").inputValue()).toBe("web-7");
    await user.press(page, "Remove view “Web”", gone(linkTo(/^Web$/)));
    await tab("Ready to ship 1").click();
    await user.fill(page, { Search: "nothing" }, "Free orders are under “Not shipped”");

    // Reports show one channel and currency, and webhooks.
    await place({ currency: "JPY", channel: "b2b_portal", items: [{ ...ITEM, unitPrice: 700 }] });
    // Text typed just before does not undo a slow change to another screen.
    const assets = Promise.withResolvers<void>();
    await page.route(/\/assets\/reports-[^/]*\.js$/, (route) => assets.promise.then(() => route.continue()));
    await page.getByLabel("Search").fill("typed");
    await user.follow(page, "Reports");
    await page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${LONGER_THAN_TYPING_MS}))`);
    assets.resolve();
    const inEuro = page.getByRole("article", { name: "Sales in EUR" });
    await user.see(page, inEuro.getByText("Webhooks delivered"), inEuro.getByText("Waiting now"));
    await page.getByRole("navigation", { name: "Currency" }).getByRole("link", { name: "JPY" }).click();
    const inYen = page.getByRole("article", { name: "Sales in JPY" });
    await user.see(page, inYen.getByText("JPY 1,400").first());
    await user.choose(page, { Channel: "storefront" }, inYen.getByText("JPY 0").first());
  });

  test("several orders are shipped at once, and each has its result", async () => {
    const orders = [await place(), await place(), await place()] as const;
    const sent = await place({}, ["fulfill"]);
    const { page, ...opened } = await dashboard.open({ as: dashboard.editor, at: "/orders?tab=fulfill" });
    await user.see(page, page.getByLabel(`Select order ${orders[0].orderNumber}`, { exact: true }));
    await tick(page, orders[0]);
    await page
      .getByLabel(`Select order ${orders[2].orderNumber}`, { exact: true })
      .click({ modifiers: ["Shift"] });
    await user.see(page, "3 selected");
    expect(await page.getByRole("button", { name: "Mark as delivered" }).count()).toBe(0);
    await opened.expectAccessible();
    await user.press(page, "Ship", inDialog("3 orders not paid"));
    expect(await descriptionOf(dialog(page))).toMatch(/^3 orders not paid/);
    await dialog(page).getByLabel("Carrier").fill("DHL");
    // A scanner ends each number with Enter.
    await page.getByLabel(`Tracking number of order ${orders[2].orderNumber}`).focus();
    for (const number of ["1Z9", "1Z8", "1Z9"]) {
      await page.keyboard.type(number);
      await page.keyboard.press("Enter");
    }
    const twice = `1Z9 is entered for the orders ${orders[2].orderNumber} and ${orders[0].orderNumber}.`;
    await user.see(page, inDialog(twice));
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Print and ship");
    await dialog(page)
      .getByLabel("Numbers from a CSV file")
      .setInputFiles({
        name: "labels.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(`${orders[0].orderNumber};1Z7;UPS\n1;1Z6;UPS`),
      });
    await user.see(page, dialog(page).getByText("1 number filled in (UPS). Not among these orders: 1."));
    await opened.expectAccessible();
    await opened.expectFitsPhone();
    const paper = await papersOf(page);
    // One order is cancelled meanwhile, and one waits for a rate limit.
    await dashboard.tenant.key.post(`/v1/orders/${orders[1].id}/cancel`, {});
    const limit = { status: 429, code: "rate_limited", retryAfterSeconds: 1 };
    const sentTo = await refuseOnce(page, `/v1/orders/${orders[2].id}/fulfill`, limit);
    await user.pressIn(page, "Print and ship", "Finished. 2 done, 1 failed.");
    expect(sentTo()).toBe(2);
    await until("the packing slips", () => Promise.resolve(paper.length === 1));
    expect(paper[0]?.match(/Packing slip/g)).toHaveLength(2);
    expect(paper[0]).toContain("1Z7");
    const result = (order: { orderNumber: string }) =>
      dialog(page).getByRole("row", { name: new RegExp(`^${order.orderNumber} `) });
    await user.see(page, result(orders[0]).getByText("Done"), result(orders[2]).getByText("Done"));
    await user.see(page, result(orders[1]).getByText("Failed"));
    await opened.expectAccessible();
    await opened.expectFitsPhone();
    await user.pressIn(page, "Try the others again", "Finished. 2 done, 1 failed.");
    await user.pressIn(page, "Close");
    const { body } = await dashboard.tenant.key.get(`/v1/orders/${orders[2].id}`);
    expect(body.data).toMatchObject({ status: "fulfilled", carrier: "DHL", trackingNumber: "1Z9" });
    const first = await dashboard.tenant.key.get(`/v1/orders/${orders[0].id}`);
    expect(first.body.data).toMatchObject({ carrier: "UPS", trackingNumber: "1Z7" });

    // Before an action starts, the dialog says how many orders it leaves out.
    await user.goTo(page, "/orders", page.getByLabel(`Select order ${sent.orderNumber}`, { exact: true }));
    await tick(page, sent);
    await tick(page, orders[1]);
    await user.press(page, "Mark as delivered", inDialog("1 order left out"));
    expect(await descriptionOf(dialog(page))).toMatch(/^1 order left out/);
    await user.pressIn(page, "Mark as delivered 1 order", "Finished. 1 done, 0 failed.");
  });

  test("several orders are shipped with the keyboard only, at 360 px", async () => {
    const { key } = dashboard.tenant;
    for (const externalId of ["keyboard-1", "keyboard-2"]) await place({ externalId });
    const { page } = await dashboard.open({ as: dashboard.editor, at: "/orders?search=keyboard", ...PHONE });
    await user.see(page, page.getByRole("table", { name: "Orders" }));
    await user.tabTo(page, "Select all shown");
    await user.key(page, "Space", "2 selected");
    await user.enter(page, "Ship", dialog(page).getByLabel("Carrier"));
    await user.typeAt(page, "Carrier", "DHL");
    await user.enter(page, "Ship 2 orders", "Finished. 2 done, 0 failed.");
    await user.enter(page, "Close", gone(dialog));
    const { body } = await key.get("/v1/orders?search=keyboard");
    expect(body.data).toHaveLength(2);
    for (const order of body.data) expect(order).toMatchObject({ status: "fulfilled", carrier: "DHL" });
  });

  test("a long list shows many orders on each screen, its targets are large enough, and all that match are selected", async () => {
    const tenant = await dashboard.platform.createTenant();
    const { customerId } = tenant;
    const orders = Array.from({ length: 30 }, (_, index) => ({
      ...{ customerId, currency: "EUR", externalId: `web-${index}`, items: [ITEM] },
    }));
    expect((await tenant.owner.post("/v1/orders/bulk", { orders })).status).toBe(200);
    const { page } = await dashboard.open({ as: ownerOf(tenant), at: "/orders" });
    const actions = page.getByRole("region", { name: "Selected orders" });
    for (const [width, height, least] of [
      [1440, 900, 20],
      [390, 844, 8],
      [360, 740, 7],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.reload();
      await user.see(page, page.getByRole("table", { name: "Orders" }), "On the way 0");
      expect(await page.evaluate(VISIBLE_ROWS)).toBeGreaterThanOrEqual(least);
      // A tick moves no row: the actions cover the names of the columns.
      const second = page.locator("tbody > tr").nth(1);
      const { y } = (await second.boundingBox()) ?? {};
      await second.getByRole("checkbox").check();
      await user.see(page, actions.getByText("1 selected"));
      expect((await second.boundingBox())?.y).toBe(y);
      expect(await page.evaluate(SMALL_TARGETS)).toEqual([]);
    }
    await page.getByLabel("Select all shown").check();
    await user.see(page, actions.getByText("25 selected"));
    await user.press(page, "Select all 30", actions.getByText("30 selected"));
    await user.confirm(page, "Cancel orders", "Cancel 30 orders", "Finished. 30 done, 0 failed.");
  });

  test("the filtered list and the ticked orders are exported as CSV", async () => {
    const first = await place({ externalId: "export-1", items: [{ ...ITEM, name: "=1+1" }] });
    await place({ externalId: "export-2" });
    const { page } = await dashboard.open({ as: dashboard.editor, at: "/orders?search=export" });
    await until("the two orders", async () => (await page.getByRole("row").count()) === 3);
    const exports = page.getByRole("button", { name: "Export", exact: true });
    const exportAs = async (button: Locator, kind: string) => {
      await button.click();
      const choice = page.getByRole("button", { name: kind, exact: true }).locator("visible=true");
      const { name, text } = await user.download(page, () => choice.click());
      expect(name).toMatch(/^(orders|customers)-\d{4}-\d\d-\d\d\.csv$/);
      return text.split("\r\n").slice(0, -1);
    };
    const all = await exportAs(exports.first(), "For programs");
    expect(all).toHaveLength(3);
    expect(all[1]).toContain("'=1+1");
    await tick(page, first);
    const one = await exportAs(exports.last(), "For programs");
    expect(one).toEqual(all.slice(0, 2));
    await dashboard.tenant.owner.patch("/v1/shop", { locale: "de-DE" });
    await user.goTo(page, "/customers");
    const customers = await exportAs(exports, "For Excel");
    expect(customers[0]).toMatch(/^\ufeffid;/);
    await dashboard.tenant.owner.patch("/v1/shop", { locale: "en" });
  });

  test("an order is printed as a packing slip and as a receipt", async () => {
    const order = await place(
      {
        items: [ITEM, { ...ITEM, sku: "P-1", name: "Plate", quantity: 3 }],
        shippingAddress: { name: "Ada Holm", line1: "7 Hill Road", city: "Porto", country: "PT" },
        customerNote: "Ring twice",
        internalNote: "Secret",
      },
      ["payments", "fulfill"],
    );
    const other = await place();
    const { page } = await dashboard.open({ as: dashboard.editor, at: `/orders/${order.id}` });
    await user.see(page, "Ring twice", page.locator("time.time-ago").first());
    // The screen itself is printed without the parts that are useless on paper, and begins with the address.
    await page.emulateMedia({ media: "print" });
    const topOf = async (text: string) => (await page.getByText(text).first().boundingBox())?.y ?? 0;
    const tops = await Promise.all(["7 Hill Road", "Mug", "Payments"].map(topOf));
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    expect(await page.getByRole("heading", { name: `Order ${order.orderNumber}` }).isVisible()).toBe(true);
    for (const absent of ["Overview", "All orders", "Print packing slip"])
      expect(await page.getByText(absent, { exact: true }).isVisible()).toBe(false);
    // The paper shows ids, and the day of each time.
    expect(await page.getByText(order.id, { exact: true }).isVisible()).toBe(true);
    const timeOnPaper = await page.evaluate(
      `getComputedStyle(document.querySelector("time.time-ago"), "::after").content`,
    );
    expect(timeOnPaper).toMatch(/20\d\d/);
    await page.emulateMedia({ media: null });

    const paper = await papersOf(page);
    await user.press(page, "Print packing slip");
    await until("the packing slip", () => Promise.resolve(paper.length === 1));
    for (const text of ["Packing slip", "Ada Holm", "Porto", "Portugal", "Plate", "5 items", "Ring twice"])
      expect(paper[0]).toContain(text);
    for (const absent of ["EUR", "Secret"]) expect(paper[0]).not.toContain(absent);
    await user.press(page, "More actions");
    await user.press(page, "Print receipt");
    await until("the receipt", () => Promise.resolve(paper.length === 2));
    for (const text of ["Receipt", "Porto", "EUR 50.00", "paid"]) expect(paper[1]).toContain(text);
    expect(paper[1]).not.toContain("Secret");

    await user.follow(page, "All orders");
    await tick(page, order);
    await tick(page, other);
    await user.press(page, "Print packing slips");
    await until("both packing slips", () => Promise.resolve(paper.length === 3));
    expect(paper[2]?.match(/Packing slip/g)).toHaveLength(2);
  });
});
