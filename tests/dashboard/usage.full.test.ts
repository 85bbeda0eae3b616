// What a shop uses, for its admins: what is stored, the quotas, and the requests of each day.
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { describeWithBrowser } from "../support/browser.ts";
import { useDashboard } from "./support/dashboard.ts";

describeWithBrowser("what a shop uses, in a browser (if there is one)", () => {
  const dashboard = useDashboard();

  test("an admin sees it, at 1280 and at 360 px", async () => {
    const { owner, key } = dashboard.tenant;
    await key.post("/v1/redirects", { from: "/old", to: "/new" });
    const { page, ...opened } = await dashboard.open();
    await page.getByRole("link", { name: "Usage" }).click();
    await page.getByRole("heading", { name: "Quotas" }).waitFor();
    await page.getByRole("meter", { name: "Media" }).waitFor();
    await page.getByText(/of 10\.7 GB$/).waitFor();
    await until("the requests of today", async () => {
      const { body } = await owner.get("/v1/usage");
      return body.data.requests[0]?.count > 0 && body.data.redirects === 1;
    });
    await page.reload();
    const chart = page.getByRole("table", { name: "Requests by day" });
    await chart.waitFor({ state: "attached" });
    expect(await chart.getByRole("row").count()).toBe(32);
    expect(await chart.getByRole("row").last().getByRole("cell").first().textContent()).not.toBe("0");
    await opened.picture("usage");
    await page.setViewportSize({ width: 360, height: 740 });
    await opened.expectNoSidewaysScroll();
    await opened.picture("usage-narrow");
  });
});
