// How much of a list is visible without scrolling, and how large its targets are.
import { beforeAll, expect, test } from "@jest/globals";
import { describeWithBrowser } from "../support/browser.ts";
import { useDashboard } from "./support/dashboard.ts";

const ORDERS = 24;
const TARGET_PIXELS_MIN = 24;

describeWithBrowser("a long list in a browser (if there is one)", () => {
  const dashboard = useDashboard();
  beforeAll(async () => {
    const { customerId, key } = dashboard.tenant;
    for (let order = 0; order < ORDERS; order += 1) {
      const { status } = await key.post("/v1/orders", {
        customerId,
        currency: "EUR",
        externalId: `web-${order}`,
        items: [{ sku: "MUG-1", name: "Mug, blue", quantity: 2, unitPrice: 10 }],
      });
      expect(status).toBe(201);
    }
  });

  test.each([
    { screen: "laptop", width: 1440, height: 900, least: 20 },
    { screen: "phone", width: 390, height: 844, least: 8 },
    { screen: "small phone", width: 360, height: 740, least: 7 },
  ])("shows $least orders on a $screen of $width × $height pixels", async ({ least, screen, ...size }) => {
    const { page, ...opened } = await dashboard.open({ at: "/orders", ...size });
    await page.getByRole("table", { name: "Orders" }).waitFor();
    await page.getByText("On the way 0").waitFor();
    const visible = `[...document.querySelectorAll("tbody > tr")]
      .filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length`;
    expect(await page.evaluate(visible)).toBeGreaterThanOrEqual(least);
    // A tick moves no row, and the actions are over the names of the columns.
    const second = page.locator("tbody > tr").nth(1);
    const { y } = (await second.boundingBox()) ?? {};
    await second.getByRole("checkbox").check();
    const actions = page.getByRole("region", { name: "Selected orders" });
    await actions.getByText("1 selected").waitFor();
    expect((await second.boundingBox())?.y).toBe(y);
    const small =
      await page.evaluate(`[...document.querySelectorAll("#content :is(button, .tick, .select-all, select, .tabs a)")]
      .filter((target) => target.checkVisibility() && target.getBoundingClientRect().height < ${TARGET_PIXELS_MIN})
      .map((target) => target.outerHTML)`);
    expect(small).toEqual([]);
    await opened.picture(`density-${screen}`);
    await page.getByLabel("Select all shown").check();
    await actions.getByText(`${ORDERS} selected`).waitFor();
  });
});
