// Notices: the bell, the list, their destination, and the page of a subscription whose endpoint fails.
import { beforeAll, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import type { Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import type { TestTenant } from "../support/test-platform.ts";
import { ownerOf, tabTo, useDashboard, useReceiver } from "./support/dashboard.ts";

// The fifth failure in a row opens a notice. The delivery then waits.
const SCHEDULE = "50ms,50ms,50ms,50ms,1h,1h,1h";

describeWithBrowser("notices in a browser (if there is one)", () => {
  const dashboard = useDashboard({ WEBHOOKS_RETRY_SCHEDULE: SCHEDULE });
  const receiver = useReceiver();
  const failing = new Set<string>();
  beforeAll(async () => {
    receiver.behave(({ path }) => (failing.has(path) ? 503 : 200));
  });

  const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const inDialog = (page: Page, name: string) =>
    page.getByRole("dialog").getByRole("button", { name, exact: true });

  /** Subscribes a failing endpoint and waits for its notice. */
  async function failAt(tenant: TestTenant, name: string, path: string): Promise<string> {
    failing.add(path);
    const { body } = await tenant.owner.post("/v1/webhooks/subscriptions", {
      name,
      url: receiver.url + path,
      events: ["redirect.added"],
    });
    const { id } = body.data;
    await tenant.key.post("/v1/redirects", { from: path, to: "/n" });
    await until("the notice", async () => {
      const notices = await tenant.owner.get(`/v1/notices?open=true&subscriptionId=${id}`);
      return notices.body.data.length === 1;
    });
    return id;
  }

  test("an endpoint that fails is acknowledged, limited and retried, and its notice closes", async () => {
    const tenant = await dashboard.platform.createTenant();
    await failAt(tenant, "ERP & <b>Sons</b>", "/erp");
    const { page, ...opened } = await dashboard.open({ as: ownerOf(tenant) });
    await page.getByRole("link", { name: "Notices: 1 open" }).click();
    await heading(page, "Notices").waitFor();
    expect(new URL(page.url()).search).toBe("?state=open");
    const row = page.getByRole("row", { name: "Endpoint fails" });
    await row.getByText(/5 failures in a row · the receiver responds with 503 · 1 delivery waits$/).waitFor();
    await row.getByText("Each delivery is tried again on schedule").waitFor();
    await opened.picture("notices");
    await row.getByRole("button", { name: /^Acknowledge/ }).click();
    await row.getByRole("button").waitFor({ state: "detached" });
    const { body } = await tenant.owner.get("/v1/notices");
    await row.getByText(body.data[0].acknowledgedBy.name).waitFor();
    await opened.picture("notices-acknowledged");

    await row.getByRole("link", { name: /^ERP & <b>Sons/ }).click();
    await page.getByText("1 delivery waits", { exact: true }).waitFor();
    await button(page, "Edit").click();
    await page.getByLabel("Attempts a second, at most").fill("1.5");
    await page.getByLabel("Attempts at a time, at most").fill("101");
    await inDialog(page, "Save").click();
    await page.getByText("Must be a whole number from 1 to 1000.").waitFor();
    await page.getByText("Must be a whole number from 1 to 100.").waitFor();
    expect(await page.evaluate("document.activeElement.name")).toBe("maxPerSecond");
    await opened.picture("webhook-limits");
    await page.getByLabel("Attempts a second, at most").fill("10");
    await page.getByLabel("Attempts at a time, at most").fill("2");
    await inDialog(page, "Save").click();
    await page.getByText("At most 10 attempts a second, 2 at a time").waitFor();
    await button(page, "Edit").click();
    await page.getByLabel("Attempts a second, at most").fill("");
    await inDialog(page, "Save").click();
    await page.getByText("At most 2 attempts at a time").waitFor();

    failing.delete("/erp");
    await button(page, "Retry what waits now").click();
    await inDialog(page, "Retry now").click();
    await page.getByText("1 delivery is due now.").first().waitFor();
    await page.getByText("Healthy").waitFor();
    await page.getByText("Nothing waits", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Notices", exact: true }).click();
    await heading(page, "There are no open notices").waitFor();
    await page.getByLabel("State").selectOption("Closed");
    await page.getByText("Nothing: this is over.").waitFor();
    await opened.picture("notices-closed");
  });

  test("a notice about a subscription links to its page, and one about a listener has no link", async () => {
    const tenant = await dashboard.platform.createTenant();
    const id = await failAt(tenant, "Shop", "/linked");
    const listener = { name: "Laptop", events: ["redirect.added"] };
    const created = await tenant.owner.post("/v1/webhooks/listeners", listener);
    const { page } = await dashboard.open({ as: ownerOf(tenant) });
    // A listener's delivery takes hours to fail for good, so the response is changed.
    await page.route(
      ({ pathname }) => pathname === "/v1/notices",
      async (route) => {
        const response = await route.fetch();
        const { data, ...rest } = await response.json();
        const failed = {
          ...{ ...data[0], id: created.body.data.id, subscriptionId: created.body.data.id },
          ...{ kind: "delivery_failed", subject: "Laptop", facts: { count: 1 } },
        };
        await route.fulfill({ response, json: { ...rest, data: [...data, failed] } });
      },
    );
    await page.getByRole("link", { name: /^Notices: / }).click();
    const link = page.getByRole("row", { name: "Endpoint fails" }).getByRole("link");
    await link.waitFor();
    expect(await link.getAttribute("href")).toContain(`/webhooks/${id}`);
    const row = page.getByRole("row", { name: "Deliveries failed" });
    expect(await row.getByRole("link").count()).toBe(0);
  });

  test("notices are sent to a URL, with the keyboard at 360 px", async () => {
    const tenant = await dashboard.platform.createTenant();
    await failAt(tenant, `Receiver${"x".repeat(192)}`, "/long");
    const { page, ...opened } = await dashboard.open({
      as: ownerOf(tenant),
      at: "/notices",
      width: 360,
      height: 740,
    });
    await page.getByRole("row", { name: "Endpoint fails" }).waitFor();
    await page.getByText("Nowhere: they are on this page only.").waitFor();
    await opened.picture("notices-narrow");
    await tabTo(page, "Choose a destination");
    await page.keyboard.press("Enter");
    await page.getByLabel("E-mails").fill("ada@shop.example");
    for (const box of await page.getByRole("checkbox").all()) await box.uncheck();
    await tabTo(page, "Save");
    await page.keyboard.press("Enter");
    await page.getByText("Must contain at least 1 kind.").waitFor();
    await page.getByRole("checkbox", { name: "Endpoint is down" }).check();
    await tabTo(page, "Save");
    await page.keyboard.press("Enter");
    await page.getByText("Cannot be used: this installation has no mail server.").waitFor();
    await opened.expectAccessible("notices-destination-narrow");
    await opened.expectNoSidewaysScroll();
    await page.getByLabel("E-mails").fill("");
    await page.getByLabel("URL").fill(`${receiver.url}/notices`);
    await tabTo(page, "Save");
    await page.keyboard.press("Enter");
    await heading(page, "The secret that signs notices").waitFor();
    const secretShown = async () =>
      (await page.getByRole("dialog").locator("pre").first().textContent()) ?? "";
    const first = await secretShown();
    expect(first).toMatch(/^whsec_/);
    await button(page, "I have stored it").click();
    await page.getByText(`${first.slice(0, 8)}…`).waitFor();
    expect(await page.content()).not.toContain(first);
    await opened.picture("notices-sent-narrow");

    await tabTo(page, "Rotate secret");
    await page.keyboard.press("Enter");
    await inDialog(page, "Rotate secret").click();
    await heading(page, "The secret that signs notices").waitFor();
    expect(await secretShown()).not.toBe(first);
    await button(page, "I have stored it").click();
    const { body } = await tenant.owner.get("/v1/notices/destination");
    expect(body.data).toMatchObject({ url: `${receiver.url}/notices`, kinds: ["endpoint_down"] });
    await tabTo(page, "Delete destination");
    await page.keyboard.press("Enter");
    await inDialog(page, "Delete destination").click();
    await page.getByText("Nowhere: they are on this page only.").waitFor();
  });

  test("a viewer reads notices, an editor acknowledges them, and neither sees where they are sent", async () => {
    const { tenant } = dashboard;
    await failAt(tenant, "Seen by all", "/seen");
    for (const role of ["viewer", "editor"] as const) {
      const staff = await dashboard.addStaff(role);
      const { page } = await dashboard.open({ as: staff, at: "/notices" });
      const row = page.getByRole("row", { name: "Seen by all" });
      await row.waitFor();
      const acknowledge = row.getByRole("button", { name: /^Acknowledge/ });
      expect(await acknowledge.count()).toBe(role === "editor" ? 1 : 0);
      expect(await heading(page, "Where notices are sent").count()).toBe(0);
      if (role === "editor") {
        await acknowledge.click();
        await row.getByText("Ada editor").waitFor();
      }
      await row.getByRole("link").click();
      await page.getByText("1 delivery waits", { exact: true }).waitFor();
      expect(await button(page, "Retry what waits now").count()).toBe(0);
    }
  });

  test("without the module there is no bell, and its page says why", async () => {
    const tenant = await dashboard.platform.createTenant(["crm"]);
    const { page } = await dashboard.open({ as: ownerOf(tenant), at: "/notices" });
    await page.getByText("The module “content” is not active for this shop.").waitFor();
    expect(await page.getByRole("link", { name: /^Notices/ }).count()).toBe(0);
  });
});
