// Notices: the bell, the list, their destination, and the page of a subscription whose endpoint fails.
import { beforeAll, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import type { Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import type { TestTenant } from "../support/test-platform.ts";
import { enter, ownerOf, PHONE, press, pressIn, useDashboard, useReceiver } from "./support/dashboard.ts";

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
  const _button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

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
    await press(page, "Edit");
    await page.getByLabel("Attempts a second, at most").fill("1.5");
    await page.getByLabel("Attempts at a time, at most").fill("101");
    await pressIn(page, "Save");
    await page.getByText("Must be a whole number from 1 to 1000.").waitFor();
    await page.getByText("Must be a whole number from 1 to 100.").waitFor();
    expect(await page.evaluate("document.activeElement.name")).toBe("maxPerSecond");
    await opened.picture("webhook-limits");
    await page.getByLabel("Attempts a second, at most").fill("10");
    await page.getByLabel("Attempts at a time, at most").fill("2");
    await pressIn(page, "Save");
    await page.getByText("At most 10 attempts a second, 2 at a time").waitFor();
    await press(page, "Edit");
    await page.getByLabel("Attempts a second, at most").fill("");
    await pressIn(page, "Save");
    await page.getByText("At most 2 attempts at a time").waitFor();

    failing.delete("/erp");
    await press(page, "Retry what waits now");
    await pressIn(page, "Retry now");
    await page.getByText("1 delivery is due now.").first().waitFor();
    await page.getByText("Healthy").waitFor();
    await page.getByText("Nothing waits", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Notices", exact: true }).click();
    await heading(page, "There are no open notices").waitFor();
    await page.getByLabel("State").selectOption("Closed");
    await page.getByText("Nothing: this is over.").waitFor();
    await opened.picture("notices-closed");
  });

  test("notices are sent to a URL, with the keyboard at 360 px", async () => {
    const tenant = await dashboard.platform.createTenant();
    await failAt(tenant, `Receiver${"x".repeat(192)}`, "/long");
    const { page, ...opened } = await dashboard.open({ as: ownerOf(tenant), at: "/notices", ...PHONE });
    await page.getByRole("row", { name: "Endpoint fails" }).waitFor();
    await page.getByText("Nowhere: they are on this page only.").waitFor();
    await opened.picture("notices-narrow");
    await enter(page, "Choose a destination");
    await page.getByLabel("E-mails").fill("ada@shop.example");
    for (const box of await page.getByRole("checkbox").all()) await box.uncheck();
    await enter(page, "Save");
    await page.getByText("Must contain at least 1 kind.").waitFor();
    await page.getByRole("checkbox", { name: "Endpoint is down" }).check();
    await enter(page, "Save");
    await page.getByText("Cannot be used: this installation has no mail server.").waitFor();
    await opened.expectAccessible("notices-destination-narrow");
    await opened.expectNoSidewaysScroll();
    await page.getByLabel("E-mails").fill("");
    await page.getByLabel("URL").fill(`${receiver.url}/notices`);
    await enter(page, "Save");
    await heading(page, "The secret that signs notices").waitFor();
    const secretShown = async () =>
      (await page.getByRole("dialog").locator("pre").first().textContent()) ?? "";
    const first = await secretShown();
    expect(first).toMatch(/^whsec_/);
    await press(page, "I have stored it");
    await page.getByText(`${first.slice(0, 8)}…`).waitFor();
    expect(await page.content()).not.toContain(first);
    await opened.picture("notices-sent-narrow");

    await enter(page, "Rotate secret");
    await pressIn(page, "Rotate secret");
    await heading(page, "The secret that signs notices").waitFor();
    expect(await secretShown()).not.toBe(first);
    await press(page, "I have stored it");
    const { body } = await tenant.owner.get("/v1/notices/destination");
    expect(body.data).toMatchObject({ url: `${receiver.url}/notices`, kinds: ["endpoint_down"] });
    await enter(page, "Delete destination");
    await pressIn(page, "Delete destination");
    await page.getByText("Nowhere: they are on this page only.").waitFor();
  });
});
