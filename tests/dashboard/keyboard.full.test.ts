// Daily work with the keyboard only, on a narrow screen. Only Tab moves the focus, and nothing is clicked.
import { expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import { tabTo, useDashboard } from "./support/dashboard.ts";

describeWithBrowser("orders with the keyboard in a browser (if there is one)", () => {
  const dashboard = useDashboard();

  const press = async (page: Page, name: string | RegExp, key = "Enter") => {
    await tabTo(page, name);
    await page.keyboard.press(key);
  };
  const type = async (page: Page, label: string, text: string) => {
    await tabTo(page, label);
    await page.keyboard.type(text);
  };

  test("an order is placed", async () => {
    const { page } = await dashboard.open({ at: "/orders", width: 360, height: 740 });
    await page.getByRole("heading", { name: "No order was placed yet" }).waitFor();
    await press(page, "Place an order");
    await page.getByRole("heading", { name: "Place an order" }).waitFor();
    await press(page, /\bAda$/);
    for (const [label, text] of Object.entries({ Name: "Mug", SKU: "M-1" })) await type(page, label, text);
    await tabTo(page, "Quantity");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("3");
    await type(page, "Unit price", "2");
    await press(page, "Place order");
    await page.getByRole("heading", { name: /^Order 1/, level: 1 }).waitFor();
    const { body } = await dashboard.tenant.key.get(`/v1/orders/${page.url().split("/").at(-1)}`);
    expect(body.data).toMatchObject({ total: 6, items: [{ name: "Mug", quantity: 3 }] });
  });

  test("several orders are shipped at once", async () => {
    const { customerId, key } = dashboard.tenant;
    const items = [{ sku: "MUG-1", name: "Mug", quantity: 1, unitPrice: 2 }];
    for (const externalId of ["keyboard-1", "keyboard-2"])
      await key.post("/v1/orders", { customerId, externalId, items });
    const { page } = await dashboard.open({ at: "/orders?search=keyboard", width: 360, height: 740 });
    await page.getByRole("table", { name: "Orders" }).waitFor();
    await press(page, "Select all shown", " ");
    await page.getByText("2 selected").waitFor();
    await press(page, "Ship");
    await page.getByRole("dialog").getByLabel("Carrier").waitFor();
    await type(page, "Carrier", "DHL");
    await press(page, "Ship 2 orders");
    await page.getByText("Finished. 2 done, 0 failed.").waitFor();
    await press(page, "Close");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const { body } = await key.get("/v1/orders?search=keyboard");
    expect(body.data).toHaveLength(2);
    for (const order of body.data) expect(order).toMatchObject({ status: "fulfilled", carrier: "DHL" });
  });
});
