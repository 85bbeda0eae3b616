// The Console shows what happens between a request and its webhook, and leaves nothing behind.
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { describeWithBrowser } from "../support/browser.ts";
import type { TestTenant } from "../support/test-platform.ts";
import { ownerOf, tabTo, useDashboard } from "./support/dashboard.ts";

describeWithBrowser("the Console in a browser (if there is one)", () => {
  const dashboard = useDashboard();
  const itemsOf = async ({ owner }: TestTenant, path: string) =>
    (await owner.get(path)).body.data as { id: string; name: string; from: string }[];
  const isEmpty = (tenant: TestTenant, path: string) =>
    until(`no item of ${path}`, async () => (await itemsOf(tenant, path)).length === 0);

  test("a redirect's webhook arrives verified, and leaving the page deletes what it made", async () => {
    const tenant = await dashboard.platform.createTenant();
    const { page, ...opened } = await dashboard.open({ as: ownerOf(tenant), at: "/" });
    await page.getByRole("link", { name: "See a webhook arrive" }).click();
    await page.getByText("Press a button.").waitFor();
    await page.getByRole("button", { name: "Add a redirect" }).click();
    const own = page.getByRole("region", { name: "POST /v1/redirects" });
    await own.getByText("Signature verified").waitFor();
    await own.getByText("X-service-Signature: sha256=").waitFor();
    await own.getByText("Acknowledged").waitFor();
    const steps = (await own.getByRole("listitem").allTextContents()).map((text) =>
      text.replace(/ -?\d+ ms/, ""),
    );
    expect(steps.toSorted()).toEqual([
      "Acknowledged",
      "Arrived",
      "Committed",
      "Published, fanned out",
      "Request",
      "Response",
      "Signed, sent",
    ]);
    await opened.picture("console");
    await tenant.key.post("/v1/redirects", { from: "/by-curl", to: "/new" });
    const other = page.getByRole("region", { name: "A request of another program" });
    await other.getByText('"from": "/by-curl"').waitFor();
    await other.getByText("Signature verified").waitFor();
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await isEmpty(tenant, "/v1/webhooks/listeners");
    await until("the redirect of the other program only", async () => {
      const redirects = await itemsOf(tenant, "/v1/redirects");
      return redirects.length === 1 && redirects[0]?.from === "/by-curl";
    });
  });

  test("with the keyboard on a phone, an order of a new shop is seen in the feed, and closing the tab ends the listener", async () => {
    const { tenant } = dashboard;
    const { page, ...opened } = await dashboard.open({ at: "/console", width: 360, height: 740 });
    await page.getByText("Press a button.").waitFor();
    await tabTo(page, "Place an order");
    await page.keyboard.press("Enter");
    const order = page.getByRole("region", { name: "POST /v1/orders" });
    await order.getByText('"type": "order.placed"').waitFor();
    await page.getByRole("button", { name: "Add a redirect" }).click();
    await page.getByText("Signature verified").waitFor();
    await opened.expectNoSidewaysScroll();
    await opened.expectAccessible("console-phone");
    expect(await itemsOf(tenant, "/v1/customers?externalId=console")).toHaveLength(1);
    await page.goto("about:blank");
    await isEmpty(tenant, "/v1/webhooks/listeners");
    await isEmpty(tenant, "/v1/redirects");
  });

  test("a viewer reads why the Console sends nothing, and no listener is made", async () => {
    const viewer = await dashboard.addStaff("viewer");
    const { page } = await dashboard.open({ as: viewer, at: "/console" });
    await page.getByText("You are signed in as viewer.").waitFor();
    expect(await page.getByRole("button", { name: "Add a redirect" }).count()).toBe(0);
    expect(await itemsOf(dashboard.tenant, "/v1/webhooks/listeners")).toEqual([]);
  });
});
