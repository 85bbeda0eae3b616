// The log of requests: who requested what, filtered by key, person, route and status, and reached from a key.
import { beforeAll, expect, test } from "@jest/globals";
import { apiClient, bearer, until } from "@tradepost/testing";
import { describeWithBrowser } from "../support/browser.ts";
import { tabTo, useDashboard } from "./support/dashboard.ts";

describeWithBrowser("the log of requests in a browser (if there is one)", () => {
  const dashboard = useDashboard();
  let keyId: string;
  let redirectId: string;
  beforeAll(async () => {
    const { owner } = dashboard.tenant;
    const { body } = await owner.post("/v1/api-keys", { label: "ERP & <b>Sons</b>", scopes: ["read:crm"] });
    keyId = body.data.id;
    const erp = apiClient(dashboard.platform.url, bearer(body.data.key));
    await erp.get("/v1/orders");
    await erp.get("/v1/orders/0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b");
    await erp.post("/v1/orders", {});
    const { body: redirect } = await owner.post("/v1/redirects", {
      from: `/from/${keyId}`,
      to: "/to",
      type: 301,
    });
    redirectId = redirect.data.id;
    await until("the log of the requests", async () => {
      const { body: page } = await owner.get(`/v1/requests?keyId=${keyId}`);
      return page.data.length === 3;
    });
  });

  test("a key leads to its requests, which filters in the address narrow", async () => {
    const { page, ...opened } = await dashboard.open({ at: "/ai-integrations" });
    await page.getByRole("link", { name: "What did this key do? ERP" }).click();
    await page.getByText("The requests of “ERP & <b>Sons</b>”").waitFor();
    expect(new URL(page.url()).search).toBe(`?keyId=${keyId}`);
    const rows = page.getByRole("table", { name: "Requests" }).getByRole("row");
    await until("the requests", async () => (await rows.count()) === 4);
    await rows.filter({ hasText: "POST /v1/orders" }).getByText("forbidden").waitFor();
    await opened.picture("requests");

    await page.getByLabel("Status").fill("404");
    await page.waitForURL(/status=404/);
    await until("one request", async () => (await rows.count()) === 2);
    await page.getByLabel("Status").fill("");
    await page.getByLabel("Route").selectOption("/v1/orders");
    await page.waitForURL(/route=/);
    await page.getByLabel("Who").selectOption({ label: "Programs" });
    await page.getByText("The requests of “").waitFor({ state: "detached" });
    await page.getByText("More filters").click();
    await page.getByLabel("To", { exact: true }).fill("2020-01-31T10:00");
    await page.getByRole("heading", { name: "No request matches" }).waitFor();
    await page.getByRole("link", { name: "Show all requests" }).click();
    expect(new URL(page.url()).search).toBe("");
    await rows.nth(1).waitFor();
  });

  test("is read with the keyboard at 360 px", async () => {
    const { page, ...opened } = await dashboard.open({
      at: `/requests?keyId=${keyId}&status=4xx`,
      width: 360,
      height: 740,
    });
    await page.getByRole("table", { name: "Requests" }).waitFor();
    await opened.picture("requests-narrow");
    await tabTo(page, "GET /v1/orders/:id");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "GET /v1/orders/:id" }).waitFor();
    await page.getByText("No such order.").waitFor();
    await opened.picture("request-refused-narrow");
  });

  test("a person's request is hidden at first, read ahead, and leads to its event and back", async () => {
    const { page, ...opened } = await dashboard.open({ at: "/requests" });
    const added = page.getByRole("link", { name: "POST /v1/redirects" });
    await page.getByRole("link", { name: "GET /v1/orders", exact: true }).waitFor();
    expect(await added.count()).toBe(0);
    await page.getByLabel("Who").selectOption({ label: "Programs and people" });
    await page.getByLabel("Route").selectOption("/v1/redirects");
    await Promise.all([page.waitForRequest(/\/v1\/requests\/\w/), added.first().hover()]);
    await added.first().click();
    await page.getByRole("heading", { name: "What it caused" }).waitFor();
    await opened.picture("request");
    await Promise.all([page.waitForRequest(/events\/./), page.locator("main li a").first().focus()]);
    await page.keyboard.press("Enter");
    await page.getByText(redirectId).first().waitFor();
    await page.getByRole("link", { name: "The request" }).click();
    await page.getByRole("heading", { name: "POST /v1/redirects" }).waitFor();
  });
});
