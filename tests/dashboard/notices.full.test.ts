// Notices: the bell, the list, their destination, and the page of a subscription whose endpoint fails.
import { until } from "@tradepost/testing";
import { describeWithBrowser } from "../support/browser.ts";
import type { TestTenant } from "../support/test-platform.ts";
import { type Behaviours, ownerOf, PHONE, useDashboard, useReceiver } from "./support/dashboard.ts";
import { dialog, exactly, firstOf, gone, heading, rowWith } from "./support/places.ts";
import { subscribe } from "./support/shop.ts";
import * as user from "./support/user.ts";

// The fifth failure in a row opens a notice. The delivery then waits.
const SCHEDULE = "50ms,50ms,50ms,50ms,1h,1h,1h";

describeWithBrowser("notices in a browser (if there is one)", () => {
  const dashboard = useDashboard({ WEBHOOKS_RETRY_SCHEDULE: SCHEDULE });
  const behaviours: Behaviours = {};
  const receiver = useReceiver(behaviours);

  /** Subscribes a failing endpoint and waits for its notice. */
  async function failAt(tenant: TestTenant, name: string, path: string): Promise<string> {
    behaviours[path] = () => 503;
    const id = await subscribe(tenant, { name, url: receiver.url + path });
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
    const { page } = await dashboard.open({ as: ownerOf(tenant) });
    await user.follow(page, "Notices: 1 open", heading("Notices"));
    expect(new URL(page.url()).search).toBe("?state=open");
    const row = page.getByRole("row", { name: "Endpoint fails" });
    await row.getByText(/5 failures in a row · the receiver responds with 503 · 1 delivery waits$/).waitFor();
    await user.see(page, row.getByText("Each delivery is tried again on schedule"));
    await user.click(row.getByRole("button", { name: /^Acknowledge/ }), gone(row.getByRole("button")));
    const { body } = await tenant.owner.get("/v1/notices");
    await user.see(page, row.getByText(body.data[0].acknowledgedBy.name));

    await row.getByRole("link", { name: /^ERP & <b>Sons/ }).click();
    await user.see(page, exactly("1 delivery waits"));
    await user.press(page, "Edit");
    await user.fill(page, { "Attempts a second, at most": "1.5", "Attempts at a time, at most": "101" });
    await user.pressIn(page, "Save", "Must be a whole number from 1 to 1000.");
    await user.see(page, "Must be a whole number from 1 to 100.");
    expect(await page.evaluate("document.activeElement.name")).toBe("maxPerSecond");
    await user.fill(page, { "Attempts a second, at most": "10", "Attempts at a time, at most": "2" });
    await user.pressIn(page, "Save", "At most 10 attempts a second, 2 at a time");
    await user.press(page, "Edit");
    await page.getByLabel("Attempts a second, at most").fill("");
    await user.pressIn(page, "Save", "At most 2 attempts at a time");

    behaviours["/erp"] = () => 200;
    await user.confirm(page, "Retry what waits now", "Retry now");
    await user.see(page, firstOf("1 delivery is due now."), "Healthy", exactly("Nothing waits"));
    await user.follow(page, /^Notices$/, heading("There are no open notices"));
    await user.choose(page, { State: "Closed" }, "Nothing: this is over.");
  });

  test("notices are sent to a URL, with the keyboard at 360 px", async () => {
    const tenant = await dashboard.platform.createTenant();
    await failAt(tenant, `Receiver${"x".repeat(192)}`, "/long");
    const { page, ...opened } = await dashboard.open({ as: ownerOf(tenant), at: "/notices", ...PHONE });
    await user.see(page, rowWith("Endpoint fails"), "Nowhere: they are on this page only.");
    await user.enter(page, "Choose a destination");
    await page.getByLabel("E-mails").fill("ada@shop.example");
    for (const box of await page.getByRole("checkbox").all()) await box.uncheck();
    await user.enter(page, "Save", "Must contain at least 1 kind.");
    await page.getByRole("checkbox", { name: "Endpoint is down" }).check();
    await user.enter(page, "Save", "Cannot be used: this installation has no mail server.");
    await opened.expectAccessible();
    await user.fill(page, { "E-mails": "", URL: `${receiver.url}/notices` });
    await user.enter(page, "Save", heading("The secret that signs notices"));
    const secretShown = async () => (await dialog(page).locator("pre").first().textContent()) ?? "";
    const first = await secretShown();
    expect(first).toMatch(/^whsec_/);
    await user.press(page, "I have stored it", `${first.slice(0, 8)}…`);
    expect(await page.content()).not.toContain(first);

    await user.enter(page, "Rotate secret");
    await user.pressIn(page, "Rotate secret", heading("The secret that signs notices"));
    expect(await secretShown()).not.toBe(first);
    await user.press(page, "I have stored it");
    const { body } = await tenant.owner.get("/v1/notices/destination");
    expect(body.data).toMatchObject({ url: `${receiver.url}/notices`, kinds: ["endpoint_down"] });
    // Somebody else is faster, and the open dialog says so.
    await user.enter(page, "Delete destination");
    await tenant.owner.delete("/v1/notices/destination");
    await user.pressIn(page, "Delete destination", dialog(page).getByRole("alert"));
    await user.see(page, "Nowhere: they are on this page only.");
  });
});
