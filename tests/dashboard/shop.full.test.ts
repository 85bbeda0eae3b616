// The settings of the shop, and what follows them: figures, forms and papers.
import { expect, test } from "@jest/globals";
import { describeWithBrowser } from "../support/browser.ts";
import { tabTo, useDashboard } from "./support/dashboard.ts";

describeWithBrowser("the settings of a shop in a browser (if there is one)", () => {
  const dashboard = useDashboard();

  test("numbers, dates, forms and papers follow them, with the keyboard only at 360 px", async () => {
    const { customerId, key, owner } = dashboard.tenant;
    const items = [{ sku: "MUG-1", name: "Mug", quantity: 1_500, unitPrice: 1.25 }];
    const { body } = await key.post("/v1/orders", { customerId, currency: "EUR", items });
    const { page, ...opened } = await dashboard.open({ at: "/shop", width: 360, height: 740 });
    for (const [label, choice] of Object.entries({
      Currency: "EUR",
      "Numbers and dates": "de-DE",
      "Time zone": "Asia/Tokyo",
    }))
      await page.getByLabel(label).selectOption(choice);
    await tabTo(page, "Street and number");
    await page.keyboard.type("1 Quay");
    await opened.expectNoSidewaysScroll();
    await opened.picture("shop-narrow");
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
    await page.getByRole("button", { name: "Print packing slip" }).click();
    expect(await page.locator(".paper").textContent()).toContain("1 Quay");
    await page.goto(`${dashboard.platform.url}/dashboard/orders/new`);
    expect(await page.getByLabel("Currency").inputValue()).toBe("EUR");
  });

  test("a viewer sees them, and changes none", async () => {
    const { page } = await dashboard.open({ as: await dashboard.addStaff("viewer"), at: "/shop" });
    await page.getByText("Only administrators change these settings").waitFor();
    expect(await page.getByLabel("Currency").isDisabled()).toBe(true);
    expect(await page.getByRole("button", { name: "Save" }).count()).toBe(0);
  });
});
