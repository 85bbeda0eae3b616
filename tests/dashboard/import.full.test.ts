// Importing orders in the dashboard: a CSV file is read, tried, shown, and only then placed.
import { beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import { useDashboard } from "./support/dashboard.ts";

describeWithBrowser("importing orders in a browser (if there is one)", () => {
  const dashboard = useDashboard();
  let editor: { email: string; password: string };
  beforeAll(async () => {
    editor = await dashboard.addStaff("editor");
  });

  const press = (page: Page, name: string | RegExp) =>
    page.getByRole("button", { name, exact: true }).click();
  const choose = (page: Page, name: string, text: string) =>
    page
      .getByLabel("File with orders")
      .setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  const downloaded = async (page: Page) => {
    const download = page.waitForEvent("download");
    await press(page, "Download the refused orders");
    const stream = await (await download).createReadStream();
    return Buffer.concat(await stream.toArray()).toString();
  };

  test("orders are imported from a file, over a lost connection and a stop", async () => {
    const { customerId, owner } = dashboard.tenant;
    const { page, ...opened } = await dashboard.open({ as: editor, at: "/orders" });
    await page.getByRole("link", { name: "Import", exact: true }).click();
    await page.getByRole("heading", { name: "Import orders" }).waitFor();
    await choose(page, "orders.csv", "{sku");
    await page.getByText("The file is not CSV with a line of names.").waitFor();
    await opened.picture("import");

    const rows = Array.from(
      { length: 130 },
      (_, index) => `old-${index},${customerId},EUR,MUG-1,Mug,${index === 1 ? 0 : 3},19.99`,
    );
    const keys: string[] = [];
    // The response to the second part is lost.
    await page.route("**/v1/orders/bulk", async (route) => {
      keys.push(route.request().headers()["idempotency-key"] ?? "");
      await (keys.length === 2 ? route.fetch().then(() => route.abort()) : route.continue());
    });
    const names = "externalId,customerId,currency,sku,itemName,quantity,unitPrice";
    await choose(page, "orders.csv", [names, ...rows].join("\n"));
    await press(page, "Check the orders");
    await page.getByText("None is placed yet. 129 can be placed, 1 are refused.").waitFor();
    expect((await owner.get("/v1/orders?channel=import")).body.data).toEqual([]);
    await opened.picture("import-preview");
    expect(await downloaded(page)).toContain(`${rows[1]},Quantity: `);

    await press(page, "Place 129 orders");
    await page.getByText("The import goes on by itself").waitFor();
    await press(page, "Stop");
    await page.getByText("It can go on where it was. 100 placed, 1 refused.").waitFor();
    await press(page, "Go on");
    await page.getByText("The import is over. 129 placed, 1 refused.").waitFor();
    // The second part was sent again, maybe also before the stop.
    expect(keys.length).toBeGreaterThanOrEqual(3);
    expect(new Set(keys.slice(1))).toEqual(new Set([keys[1]]));
    expect(keys[0]).not.toBe(keys[1]);
    await opened.picture("import-over");
    const { body } = await owner.get("/v1/orders?channel=import&limit=100&externalId=old-129");
    expect(body.data).toHaveLength(1);
  });

  test("a CSV file is mapped, tried and placed, and refused rows keep their own ids", async () => {
    const { key } = dashboard.tenant;
    await key.post("/v1/customers", { name: "Ada", email: "ada@shop.example" });
    for (const name of ["One", "Two"]) await key.post("/v1/customers", { name, email: "twin@shop.example" });
    const csv = [
      "Vorgang;E-Mail;SKU;Ware;Stk;Netto;Shipping City;Shipping Street",
      "B-1;ada@shop.example;M-1;Mug;2;19,99;Lisbon;1 Quay",
      "B-1;;P-1;=Plate;1;7;;",
      "B-2;nobody@shop.example;M-1;Mug;1;19,99;;",
      "B-3;twin@shop.example;M-1;Mug;1;19,99;;",
      "B-4;ada@shop.example;M-1;Mug;many;19,99;;",
      "B-5;ada@shop.example;M-1;Mug;1;19,99;;",
      "B-5;twin@shop.example;P-1;Plate;1;7;;",
    ].join("\r\n");
    const { page, ...opened } = await dashboard.open({ as: editor, at: "/orders/import" });
    const example = await page.getByText("externalId,customerEmail").textContent();
    await choose(page, "orders.csv", example ?? "");
    await press(page, "Check the orders");
    await page.getByText("No customer has the e-mail address ada@example.com.").waitFor();
    await page.goto(page.url());
    await choose(page, "orders.csv", csv);
    await page.getByRole("table", { name: "Columns of the file" }).waitFor();
    await press(page, "Check the orders");
    await page.getByText("No column is “Unit price”.").waitFor();
    await opened.expectAccessible("import-columns");
    await page.setViewportSize({ width: 360, height: 740 });
    await opened.expectNoSidewaysScroll();
    await opened.picture("import-columns-narrow");
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const [column, target] of [
      ["Vorgang", "External id of the order"],
      ["Ware", "Item"],
      ["Stk", "Quantity"],
      ["Netto", "Unit price"],
    ] as const)
      await page.getByLabel(`${column} becomes`).selectOption(target);
    await page.getByLabel("Currency of all orders").selectOption("EUR");
    await press(page, "Check the orders");
    await page.getByText("None is placed yet. 1 can be placed, 4 are refused.").waitFor();
    const inPreview = page.getByRole("table", { name: "Preview" }).getByRole("row", { name: /B-1 Ada/ });
    await inPreview.getByText("EUR 46.98").waitFor();
    // The latest order of the shop is in USD; the chosen currency holds nevertheless.
    await press(page, "Change the columns");
    expect(await page.getByLabel("Currency of all orders").inputValue()).toBe("EUR");
    await press(page, "Check the orders");
    await page.getByText("None is placed yet. 1 can be placed, 4 are refused.").waitFor();
    await inPreview.getByText("EUR 46.98").waitFor();
    const refused = page.getByRole("table", { name: "Refused orders" });
    await refused.getByRole("row", { name: /^B-2 No customer has the e-mail address nobody@/ }).waitFor();
    await refused
      .getByRole("row", { name: /^B-3 Several customers have the e-mail address twin@/ })
      .waitFor();
    await refused.getByRole("row", { name: /^B-4 Quantity: Column “Stk” has “many” in line 6/ }).waitFor();
    await refused
      .getByRole("row", {
        name: /^B-5 E-mail of the customer: .* “ada@.*” in line 7 and “twin@.*” in line 8/,
      })
      .waitFor();
    await opened.expectAccessible("import-preview-csv");
    const lines = (await downloaded(page)).replace("\ufeff", "").split("\r\n");
    expect(lines[0]).toMatch(/^Vorgang,E-Mail,SKU,Ware,.*,refused because$/);
    expect(lines[1]).toMatch(/^B-2,nobody@shop.example,M-1,Mug,1,"19,99",,,no customer has/);
    await page.setViewportSize({ width: 360, height: 740 });
    await opened.expectNoSidewaysScroll();

    await press(page, "Create 1 missing customer");
    await page.getByText("None is placed yet. 2 can be placed, 3 are refused.").waitFor();
    await press(page, "Place 2 orders");
    // What was refused in the check can be downloaded afterwards, too.
    await page.getByText("The import is over. 2 placed, 3 refused.").waitFor();
    expect((await downloaded(page)).split("\r\n")).toHaveLength(6);
    const created = await key.get("/v1/customers?email=nobody@shop.example");
    expect(created.body.data).toMatchObject([{ name: "nobody@shop.example" }]);
    const { body } = await key.get("/v1/orders?externalId=B-1");
    expect(body.data).toMatchObject([
      {
        channel: "import",
        currency: "EUR",
        total: 46.98,
        shippingAddress: { line1: "1 Quay", city: "Lisbon" },
        items: [{ sku: "M-1" }, { sku: "P-1", name: "=Plate" }],
      },
    ]);
  });

  test("a customer that cannot be created is listed with the reason, and the others are created", async () => {
    const { key } = dashboard.tenant;
    const csv = [
      "Order ID,Email,SKU,Item,Qty,Price",
      "C-1,grace@,M-1,Mug,1,5",
      "C-2,hedy@shop.example,M-1,Mug,1,5",
      "C-3, Hedy@Shop.Example ,M-1,Mug,1,5",
      "C-4,mary@shop.example,M-1,Mug,1,5",
    ].join("\n");
    const { page, ...opened } = await dashboard.open({ as: editor, at: "/orders/import" });
    await choose(page, "orders.csv", csv);
    await page.getByLabel("Currency of all orders").selectOption("EUR");
    await press(page, "Check the orders");
    await page.getByText("None is placed yet. 0 can be placed, 4 are refused.").waitFor();
    await press(page, "Create 3 missing customers");
    await page.getByText("None is placed yet. 3 can be placed, 1 are refused.").waitFor();
    await page
      .getByRole("table", { name: "Refused orders" })
      .getByRole("row", { name: /^C-1 No customer has the e-mail address grace@: email must be/ })
      .waitFor();
    for (const email of ["hedy@shop.example", "mary@shop.example"])
      expect((await key.get(`/v1/customers?email=${email}`)).body.data).toHaveLength(1);
    // The browser logs the refusal.
    await opened.close();
  });

  test("creating customers ends with a failure that all would have, and can be left", async () => {
    const rows = Array.from({ length: 20 }, (_, index) => `D-${index},new-${index}@shop.example,M-1,Mug,1,5`);
    const csv = ["Order ID,Email,SKU,Item,Qty,Price", ...rows].join("\n");
    const { page, ...opened } = await dashboard.open({ as: editor, at: "/orders/import" });
    await choose(page, "orders.csv", csv);
    await page.getByLabel("Currency of all orders").selectOption("EUR");
    await press(page, "Check the orders");
    await page.getByText("None is placed yet. 0 can be placed, 20 are refused.").waitFor();
    let posts = 0;
    const refuse = Promise.withResolvers<void>();
    await page.route("**/v1/customers", async (route) => {
      if (route.request().method() !== "POST") return await route.continue();
      posts += 1;
      await refuse.promise;
      const error = { code: "internal", message: "the platform failed", requestId: "r-1" };
      await route.fulfill({ status: 500, json: { success: false, error } });
    });
    await press(page, "Create 20 missing customers");
    await press(page, "Change the columns");
    await page.getByRole("table", { name: "Columns of the file" }).waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
    await press(page, "Stay here");
    await press(page, "Check the orders");
    await page.getByText("None is placed yet. 0 can be placed, 20 are refused.").waitFor();
    expect(posts).toBeLessThanOrEqual(3);

    posts = 0;
    refuse.resolve();
    await press(page, "Create 20 missing customers");
    await page
      .getByRole("row", {
        name: /No customer has the e-mail address new-0@shop.example: the platform failed/,
      })
      .waitFor();
    // Three are sent at a time.
    expect(posts).toBeLessThanOrEqual(3);
    await page.getByRole("button", { name: "Create 20 missing customers" }).waitFor();
    await opened.close();
  });
});
