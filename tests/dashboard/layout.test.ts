// What stays in its place and within its frame: columns, the navigation and dialogs.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { describeWithBrowser } from "../support/browser.ts";
import { type Dashboard, startDashboard } from "./support/dashboard.ts";

describeWithBrowser("the layout of the dashboard in a browser (if there is one)", () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    dashboard = await startDashboard();
  });
  afterAll(() => dashboard.stop());

  test("columns stay in their places while the times in them change", async () => {
    const { customerId, key } = dashboard.tenant;
    const items = [{ sku: "MUG-1", name: "Mug", quantity: 1, unitPrice: 2 }];
    for (let order = 0; order < 3; order += 1) await key.post("/v1/orders", { customerId, items });
    const { page, ...opened } = await dashboard.open({ as: dashboard.owner });
    await page.clock.install();
    await page.goto(`${dashboard.platform.url}/dashboard/orders`);
    await page.getByRole("link", { name: "Ada" }).first().waitFor();
    const columns = `[...document.querySelectorAll("thead th")].map((one) => one.getBoundingClientRect().left)`;
    const before = await page.evaluate(columns);
    for (const [by, text] of [
      ["02:00", "2 minutes ago"],
      ["45:00", "47 minutes ago"],
      ["03:00:00", "4 hours ago"],
      ["23:00:00", "yesterday"],
    ] as const) {
      await page.clock.fastForward(by);
      await page.getByText(text).first().waitFor();
      expect({ text, columns: await page.evaluate(columns) }).toEqual({ text, columns: before });
    }
    opened.expectNoFaults();
    await opened.close();
  });

  test("the whole navigation is visible in a window of 720 pixels", async () => {
    const { page, ...opened } = await dashboard.open({ as: dashboard.owner, width: 1280, height: 720 });
    await page.getByRole("link", { name: "Usage" }).waitFor();
    const hidden = `[...document.querySelectorAll(".side :is(a, button)")]
      .filter((one) => one.checkVisibility() && one.getBoundingClientRect().bottom > innerHeight).length`;
    expect(await page.evaluate(hidden)).toBe(0);
    const below = `(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector(".side-areas"))`;
    expect(await page.evaluate(below)).toBeLessThanOrEqual(0);
    opened.expectNoFaults();
    await opened.close();
  });

  test("the buttons of a long dialog stay in view, within its round corners", async () => {
    const { page, ...opened } = await dashboard.open({
      as: dashboard.owner,
      at: "/ai-integrations?create=true",
      width: 390,
      height: 500,
    });
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Cancel" }).waitFor();
    expect(await dialog.evaluate((one) => one.scrollHeight > one.clientHeight)).toBe(true);
    expect(await dialog.getByRole("button", { name: "Cancel" }).isVisible()).toBe(true);
    await opened.picture("long-dialog");
    const hits = (inside: number) => `(() => {
      const { left, right, bottom } = document.querySelector("dialog").getBoundingClientRect();
      return [left + ${inside}, right - ${inside}].map((x) =>
        document.elementFromPoint(x, bottom - ${inside})?.closest(".dialog-actions") !== null);
    })()`;
    expect(await page.evaluate(hits(8))).toEqual([true, true]);
    expect(await page.evaluate(hits(2))).toEqual([false, false]);
    opened.expectNoFaults();
    await opened.close();
  });
});
