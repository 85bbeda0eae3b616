// Importing orders in the dashboard: a CSV file is read, tried, shown, and only then placed.
import type { Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import { PHONE, useDashboard } from "./support/dashboard.ts";
import { rowWith } from "./support/places.ts";
import * as user from "./support/user.ts";

describeWithBrowser("importing orders in a browser (if there is one)", () => {
  const dashboard = useDashboard();

  const choose = (page: Page, name: string, text: string) =>
    page
      .getByLabel("File with orders")
      .setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
  const downloaded = async (page: Page) =>
    (await user.download(page, () => user.press(page, "Download the refused orders"))).text;

  test("a file is mapped, tried and placed over a lost connection and a stop, and refused rows keep their own ids", async () => {
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
      "B-6;grace@;M-1;Mug;1;19,99;;",
    ].join("\r\n");
    const { page, ...opened } = await dashboard.open({ as: dashboard.editor, at: "/orders" });
    await user.follow(page, /^Import$/);
    await choose(page, "orders.csv", "{sku");
    await user.see(page, "The file is not CSV with a line of names.");
    await choose(page, "orders.csv", csv);
    await user.see(page, page.getByRole("table", { name: "Columns of the file" }));
    await user.press(page, "Check the orders", "No column is “Unit price”.");
    await opened.expectAccessible();
    await opened.expectFitsPhone();
    for (const [column, target] of [
      ["Vorgang", "External id of the order"],
      ["Ware", "Item"],
      ["Stk", "Quantity"],
      ["Netto", "Unit price"],
    ] as const)
      await page.getByLabel(`${column} becomes`).selectOption(target);
    await page.getByLabel("Currency of all orders").selectOption("EUR");
    await user.press(page, "Check the orders", "None is placed yet. 1 can be placed, 5 are refused.");
    const inPreview = page.getByRole("table", { name: "Preview" }).getByRole("row", { name: /B-1 Ada/ });
    await user.see(page, inPreview.getByText("EUR 46.98"));
    // Nothing is placed by a trial, and the choices stay.
    expect((await key.get("/v1/orders?channel=import")).body.data).toEqual([]);
    await user.press(page, "Change the columns");
    expect(await page.getByLabel("Currency of all orders").inputValue()).toBe("EUR");
    await user.press(page, "Check the orders", inPreview.getByText("EUR 46.98"));
    const refused = page.getByRole("table", { name: "Refused orders" });
    await refused.getByRole("row", { name: /^B-2 No customer has the e-mail address nobody@/ }).waitFor();
    await refused.getByRole("row", { name: /^B-4 Quantity: Column “Stk” has “many” in line 6/ }).waitFor();
    await opened.expectAccessible();
    const lines = (await downloaded(page)).replace("\ufeff", "").split("\r\n");
    expect(lines[0]).toMatch(/^Vorgang,E-Mail,SKU,Ware,.*,refused because$/);
    expect(lines[1]).toMatch(/^B-2,nobody@shop.example,M-1,Mug,1,"19,99",,,no customer has/);
    await page.setViewportSize(PHONE);

    await user.press(
      page,
      "Create 2 missing customers",
      "None is placed yet. 2 can be placed, 4 are refused.",
    );
    // A customer that cannot be created is listed with the reason.
    await user.see(page, rowWith(/^B-6 No customer has the e-mail address grace@: email must be/));
    const keys: string[] = [];
    // The first response is lost.
    await page.route("**/v1/orders/bulk", async (route) => {
      keys.push(route.request().headers()["idempotency-key"] ?? "");
      await (keys.length === 1 ? route.fetch().then(() => route.abort()) : route.continue());
    });
    await user.press(page, "Place 2 orders", "The import goes on by itself");
    await user.press(page, "Stop", "It can go on where it was. 0 placed, 4 refused.");
    await user.press(page, "Go on");
    // Rows that the check refused can be downloaded afterwards, too.
    await user.see(page, "The import is over. 2 placed, 4 refused.");
    expect((await downloaded(page)).split("\r\n")).toHaveLength(7);
    // The request was sent again, maybe also before the stop.
    expect(keys.length).toBeGreaterThanOrEqual(2);
    expect(new Set(keys).size).toBe(1);
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

  test("creating customers ends with a failure that all would have, and can be left", async () => {
    const rows = Array.from({ length: 20 }, (_, index) => `D-${index},new-${index}@shop.example,M-1,Mug,1,5`);
    const csv = ["Order ID,Email,SKU,Item,Qty,Price", ...rows].join("\n");
    const { page, ...opened } = await dashboard.open({ as: dashboard.editor, at: "/orders/import" });
    await choose(page, "orders.csv", csv);
    await page.getByLabel("Currency of all orders").selectOption("EUR");
    await user.press(page, "Check the orders", "None is placed yet. 0 can be placed, 20 are refused.");
    let posts = 0;
    const refuse = Promise.withResolvers<void>();
    await page.route("**/v1/customers", async (route) => {
      if (route.request().method() !== "POST") return await route.continue();
      posts += 1;
      await refuse.promise;
      const error = { code: "internal", message: "the platform failed", requestId: "r-1" };
      await route.fulfill({ status: 500, json: { success: false, error } });
    });
    await user.press(page, "Create 20 missing customers");
    await user.press(page, "Change the columns", page.getByRole("table", { name: "Columns of the file" }));
    await user.follow(page, "Overview", page.getByRole("dialog", { name: "Leave without saving?" }));
    await user.press(page, "Stay here");
    expect(posts).toBeLessThanOrEqual(3);
    await user.press(page, "Check the orders");

    posts = 0;
    refuse.resolve();
    await user.press(page, "Create 20 missing customers");
    await user.see(page, rowWith(/No customer has the e-mail address new-0@\S+ the platform failed/));
    // Three requests are sent at a time.
    expect(posts).toBeLessThanOrEqual(3);
    await user.see(page, page.getByRole("button", { name: "Create 20 missing customers" }));
    await opened.close();
  });
});
