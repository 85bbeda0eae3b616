// A shop's admins read the log of requests, the audit log and its chain, and what the shop uses.
import { apiClient, bearer, until } from "@tradepost/testing";
import { describeWithBrowser } from "../support/browser.ts";
import { PHONE, useDashboard } from "./support/dashboard.ts";
import { alert, gone, heading, linkTo } from "./support/places.ts";
import * as user from "./support/user.ts";

describeWithBrowser("what was done in a shop, in a browser (if there is one)", () => {
  const dashboard = useDashboard();

  test("a key leads to its requests, which filters in the address narrow, and a request to its event and back", async () => {
    const { owner } = dashboard.tenant;
    const { body } = await owner.post("/v1/api-keys", { label: "ERP & <b>Sons</b>", scopes: ["read:crm"] });
    const keyId = body.data.id;
    const erp = apiClient(dashboard.platform.url, bearer(body.data.key));
    await erp.get("/v1/orders");
    await erp.get("/v1/orders/0199a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b");
    await erp.post("/v1/orders", {});
    const redirect = await owner.post("/v1/redirects", { from: "/from", to: "/to", type: 301 });
    await until("the log of the requests", async () => {
      const { body: page } = await owner.get(`/v1/requests?keyId=${keyId}`);
      return page.data.length === 3;
    });
    const { page } = await dashboard.open({ at: "/ai-integrations" });
    await user.follow(page, "What did this key do? ERP", "The requests of “ERP & <b>Sons</b>”");
    expect(new URL(page.url()).search).toBe(`?keyId=${keyId}`);
    const rows = page.getByRole("table", { name: "Requests" }).getByRole("row");
    await until("the requests", async () => (await rows.count()) === 4);
    await user.see(page, rows.filter({ hasText: "POST /v1/orders" }).getByText("forbidden"));

    await page.getByLabel("Status").fill("404");
    await page.waitForURL(/status=404/);
    await until("one request", async () => (await rows.count()) === 2);
    await page.setViewportSize(PHONE);
    await user.enter(page, "GET /v1/orders/:id", heading("GET /v1/orders/:id"), "No such order.");
    await page.goBack();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByLabel("Status").fill("");
    await page.getByLabel("Route").selectOption("/v1/orders");
    await page.waitForURL(/route=/);
    await page.getByLabel("Who").selectOption({ label: "Programs" });
    await user.see(page, gone("The requests of “"));
    await page.getByText("More filters").click();
    await page.getByLabel("To", { exact: true }).fill("2020-01-31T10:00");
    await user.see(page, heading("No request matches"));
    await user.follow(page, "Show all requests");
    expect(new URL(page.url()).search).toBe("");

    // A person's request is hidden at first, and is loaded when the mouse is over its link.
    const added = page.getByRole("link", { name: "POST /v1/redirects" });
    await user.see(page, linkTo(/^GET \/v1\/orders$/));
    expect(await added.count()).toBe(0);
    await page.getByLabel("Who").selectOption({ label: "Programs and people" });
    await page.getByLabel("Route").selectOption("/v1/redirects");
    await Promise.all([page.waitForRequest(/\/v1\/requests\/\w/), added.first().hover()]);
    await user.click(added.first(), heading("What it caused"));
    await Promise.all([page.waitForRequest(/events\/./), page.locator("main li a").first().focus()]);
    await user.key(page, "Enter", page.getByText(redirect.body.data.id).first());
    await user.follow(page, "The request", heading("POST /v1/redirects"));

    // From the actions of the key, a link leads to the changes of the key.
    await user.goTo(page, `/audit-log?actorId=${keyId}`, linkTo("the requests of this key"));
    expect(await page.getByLabel("Who").locator("option:checked").textContent()).toBe(
      "Key: ERP & <b>Sons</b>",
    );
    await user.follow(page, "what was done to it");
    await user.see(page, page.getByRole("row").filter({ hasText: "Created a key" }).first());
  });

  test("the audit log has filters in the address, and its chain is verified", async () => {
    const { owner } = dashboard.tenant;
    const email = "nora@people.example";
    const { body } = await owner.post("/v1/users", { name: "Nora Named", email, role: "viewer" });
    const userId = body.data.id;
    await owner.patch(`/v1/users/${userId}`, { role: "editor" });
    const { page } = await dashboard.open({ at: `/staff/${userId}` });
    await user.follow(page, "What was done to this person");
    await page.waitForURL(`**/audit-log?targetId=${userId}`);
    const change = page.getByRole("row").filter({ hasText: "Changed a person" });
    await change.locator("summary").click();
    expect(await change.textContent()).toMatch(/Roleviewer.*editor/);
    await change.getByRole("button", { name: /Copy the target id$/ }).click();
    await user.see(page, change.getByRole("button", { name: /Copied$/ }));
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(userId);
    await user.see(page, change.getByRole("button", { name: /Copy the request id$/ }));
    expect(await user.hrefOf(change, "Nora Named")).toBe(`/dashboard/staff/${userId}`);
    await page.getByLabel("What").selectOption("Changed a person");
    await page.waitForURL(/action=user.updated/);
    await page.getByLabel("To", { exact: true }).fill("2020-01-31T10:00");
    await user.see(page, heading("No entry matches"));
    expect(new URL(page.url()).searchParams.get("to")).toBe(new Date("2020-01-31T10:00").toISOString());
    await user.back(page, change);
    expect(await page.getByLabel("To", { exact: true }).inputValue()).toBe("");
    expect(await page.getByRole("row").count()).toBe(2);

    await page.setViewportSize(PHONE);
    await user.enter(page, /^Changed a person/, "Exact time");

    const verify = page.getByRole("button", { name: "Verify now" });
    await verify.click();
    await user.see(page, alert(/^Verified up to entry \d+$/));
    await page.route("**/v1/audit-log/export*", async (route) => {
      const [first = "", second = "", ...rest] = (await (await route.fetch()).text()).split("\n");
      const changed = second.replace(/"action":"\w/, '"action":"x');
      await route.fulfill({ body: [first, changed, ...rest].join("\n") });
    });
    await user.click(verify, alert("Entry 2 was changed"));
  });

  test("an admin sees what is stored, the quotas, and the requests of each day", async () => {
    const { owner, key } = dashboard.tenant;
    await key.post("/v1/redirects", { from: "/old", to: "/new" });
    await until("the requests of today", async () => {
      const { body } = await owner.get("/v1/usage");
      return body.data.requests[0]?.count > 0 && body.data.redirects > 0;
    });
    const { page } = await dashboard.open();
    await user.follow(page, "Usage", heading("Quotas"), page.getByRole("meter", { name: "Media" }));
    await user.see(page, /of 10\.7 GB$/);
    const chart = page.getByRole("table", { name: "Requests by day" });
    await chart.waitFor({ state: "attached" });
    expect(await chart.getByRole("row").count()).toBe(32);
    expect(await chart.getByRole("row").last().getByRole("cell").first().textContent()).not.toBe("0");
  });
});
