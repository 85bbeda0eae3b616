// Subscriptions are created, tested, paused, changed, rotated, replayed and deleted. Also: the event types that they may name.
import { beforeAll, expect, test } from "@jest/globals";
import { verifyWebhook } from "@tradepost/client/webhooks";
import { type Behaviour, until } from "@tradepost/testing";
import type { Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import type { TestTenant } from "../support/test-platform.ts";
import { ownerOf, refuseOnce, tabTo, useDashboard, useReceiver } from "./support/dashboard.ts";

const HOSTILE = `<img src=x onerror="document.title='stolen'"> ${"w".repeat(120)} evil`;
const LONG = `Receiver${"x".repeat(192)}`;

describeWithBrowser("webhooks in a browser (if there is one)", () => {
  const dashboard = useDashboard();
  const receiver = useReceiver();
  let failing: { tenant: TestTenant; id: string };
  beforeAll(async () => {
    receiver.behave(({ path }) => behaviours[path]?.() ?? 200);
    // The deliveries of this tenant fail for good while the other tests run.
    const tenant = await dashboard.platform.createTenant();
    behaviours["/down"] = () => 503;
    failing = { tenant, id: await subscribe(tenant, LONG, "/down") };
    await redirect(tenant, "/a");
    await redirect(tenant, "/b");
  });

  /** How the receiver responds, by path; 200 by default. */
  const behaviours: Record<string, () => ReturnType<Behaviour>> = {};
  const subscribe = async (tenant: TestTenant, name: string, path: string) => {
    const { body } = await tenant.owner.post("/v1/webhooks/subscriptions", {
      name,
      url: receiver.url + path,
      events: ["redirect.added"],
      headers: { authorization: "Bearer its-own" },
    });
    return body.data.id as string;
  };
  const redirect = (tenant: TestTenant, from: string) => tenant.key.post("/v1/redirects", { from, to: "/n" });
  const statusIs = (tenant: TestTenant, id: string, status: string, count = 1) =>
    until(`${count} ${status}`, async () => {
      const query = `subscriptionId=${id}&status=${status}`;
      const { body } = await tenant.owner.get(`/v1/webhooks/deliveries?${query}`);
      return body.data.length >= count;
    });
  const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const inDialog = (page: Page, name: string) =>
    page.getByRole("dialog").getByRole("button", { name, exact: true });

  test("a shop subscribes a URL, stores the secret that is shown once, and a test arrives", async () => {
    const { page, ...opened } = await dashboard.open({ at: "/webhooks?state=lost" });
    await heading(page, "No system is subscribed yet").waitFor();
    await page.getByText("/client.tgz tradepost listen").waitFor();
    await opened.picture("webhooks-empty");
    await page.getByRole("link", { name: "Subscribe a URL" }).click();
    expect(new URL(page.url()).search).toBe("?create=true");

    await page.getByLabel("URL", { exact: true }).fill("http://localhost:3000/hooks");
    await page.getByText("tradepost listen --forward-to 'http://localhost:3000/hooks'").waitFor();
    await opened.picture("webhooks-forward");

    // Each fault is shown at its field.
    await page.getByLabel("Name", { exact: true }).fill("ERP");
    await page.getByLabel("URL", { exact: true }).fill("https://10.1.2.3/hooks");
    for (const [number, name] of [
      [1, "Host"],
      [2, "X-Shop"],
      [3, "X-Shop"],
    ] as const) {
      await button(page, "Add a header").click();
      await page.getByLabel(`Name of header ${number}`).fill(name);
      await page.getByLabel(`Value of header ${number}`).fill("its-own");
    }
    await inDialog(page, "Create subscription").click();
    await page.getByText("Is named twice.").first().waitFor();
    await button(page, "Remove header 3").click();
    await inDialog(page, "Create subscription").click();
    await page.getByText("Some fields need attention").waitFor();
    await page.getByText("Is set by the platform.").waitFor();
    expect(await page.getByLabel("URL", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByRole("group", { name: "Events" }).getAttribute("aria-invalid")).toBe("true");
    expect(await page.evaluate("document.activeElement.name")).toBe("url");
    await opened.expectAccessible("webhooks-create");

    await button(page, "Remove header 1").click();
    await page.getByLabel("URL", { exact: true }).fill(`${receiver.url}/erp`);
    const events = page.getByRole("dialog").getByRole("group", { name: "Events" });
    await events.getByLabel("All events").check();
    expect(await events.getByRole("checkbox", { checked: true }).count()).toBe(14);
    await events.getByLabel("All events").uncheck();
    await events.getByLabel("Files", { exact: true }).check();
    expect(await events.getByRole("checkbox", { checked: true }).count()).toBe(3);
    await events.getByLabel("Files", { exact: true }).uncheck();
    await page.getByRole("checkbox", { name: /Redirect added/ }).check();
    await page.getByText("What is sent for “Redirect added”").click();
    const sent = page.getByRole("dialog").getByText('"from": "/old-shop"');
    expect(await sent.textContent()).toContain('"to": "/shop"');
    await page.getByLabel("Data", { exact: true }).selectOption("thin");
    await until("the thin body", async () => !(await sent.textContent())?.includes('"to"'));
    await page.getByLabel("Data", { exact: true }).selectOption("full");
    // The buttons are in view, however long the form is.
    await page.getByRole("dialog").evaluate((element) => element.scrollTo(0, 0));
    const box = await inDialog(page, "Create subscription").boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(800);
    await inDialog(page, "Create subscription").click();
    await heading(page, "The signing secret of “ERP”").waitFor();
    await page.keyboard.press("Escape");
    await opened.expectAccessible("webhooks-secret");
    const secret = (await page.getByRole("dialog").locator("pre").first().textContent()) ?? "";
    expect(secret).toMatch(/^whsec_.{44}$/);
    await button(page, "I have stored it").click();
    await heading(page, "ERP").waitFor();
    await page.getByText("Active", { exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);
    const row = page.getByRole("row", { name: "ERP" });

    await button(page, "Send a test").click();
    await page.getByRole("dialog").getByLabel("Event").selectOption("File processed");
    await inDialog(page, "Send").click();
    await page.getByText(/^It arrived: the receiver accepts it with 200/).waitFor();
    await opened.picture("webhooks-test");
    const { headers, body } = await receiver.waitFor("the test", ({ path }) => path === "/erp");
    expect(await verifyWebhook(secret, headers, body)).toMatchObject({
      type: "media.processed",
      data: { test: true },
    });
    expect(headers["x-shop"]).toBe("its-own");
    await button(page, "Close").click();
    await page.getByRole("row", { name: "File processed" }).getByText("200").waitFor();
    const chart = page.getByRole("table", { name: "Attempts by hour in the last 24 hours" });
    await until("the attempt in the chart", async () =>
      /^\d+ \w+, \d\d:\d\d10$/.test((await chart.getByRole("row").last().textContent()) ?? ""),
    );
    // The figures are of the whole period.
    const figures = page.locator(".attempt-statistics dl");
    expect(await figures.textContent()).toMatch(/^Attempts1Failed0p50[\d.]+ m?sp95[\d.]+ m?s$/);
    await opened.picture("webhooks-statistics");
    await page.getByRole("link", { name: "File processed" }).click();
    await page.getByText("Delivered on attempt 1").waitFor();
    await page.getByRole("link", { name: "Subscriptions" }).click();
    await row.getByText("Healthy").waitFor();
    await opened.picture("webhooks");
  });

  test("a subscription is paused, resumed, changed, rotated and deleted", async () => {
    const tenant = await dashboard.platform.createTenant();
    const id = await subscribe(tenant, "Shop & <b>Sons</b>", "/sons");
    const { page, ...opened } = await dashboard.open({ as: ownerOf(tenant), at: `/webhooks/${id}` });
    await heading(page, "Shop & <b>Sons</b>").waitFor();
    await page.getByText("authorization: •••").waitFor();
    await button(page, "Pause").click();
    await page.getByText("Nothing is lost").waitFor();
    await inDialog(page, "Pause").click();
    await page.getByText("Nothing waits yet.").waitFor();
    await redirect(tenant, "/a");
    await page.getByRole("link", { name: "1 delivery waits" }).waitFor();
    await opened.picture("webhook-paused");
    await page.getByRole("link", { name: "1 delivery waits" }).click();
    await page.getByRole("row", { name: "Redirect added" }).getByText("Paused").waitFor();
    await page.goto(`${dashboard.platform.url}/dashboard/webhooks`);
    await page.getByRole("link", { name: "Shop &" }).click();
    await button(page, "Resume").click();
    await inDialog(page, "Resume").click();
    await button(page, "Pause").waitFor();
    await receiver.waitFor("what waited", ({ path }) => path === "/sons");

    // Someone else changes it while the form is open.
    await button(page, "Edit").click();
    await page.getByLabel("Name", { exact: true }).fill("Mine");
    await page.getByRole("checkbox", { name: /File uploaded/ }).check();
    await tenant.owner.patch(`/v1/webhooks/subscriptions/${id}`, { name: HOSTILE });
    await inDialog(page, "Save").click();
    await page.getByText("Someone else has changed this meanwhile").waitFor();
    await page.getByRole("row", { name: "Name Mine <img" }).waitFor();
    await opened.picture("webhook-conflict");
    await inDialog(page, "Save your version").click();
    await heading(page, "Mine").waitFor();
    const { body } = await tenant.owner.get(`/v1/webhooks/subscriptions/${id}`);
    expect(body.data).toMatchObject({ name: "Mine", headers: { authorization: "•••" } });
    expect(body.data.events).toHaveLength(2);
    await redirect(tenant, "/b");
    const second = await receiver.waitFor("the changed one", ({ path, body: sent }) =>
      Boolean(path === "/sons" && sent.toString().includes('"/b"')),
    );
    expect(second.headers.authorization).toBe("Bearer its-own");

    // A saved header is not sent to another server.
    await button(page, "Edit").click();
    await page.getByLabel("URL", { exact: true }).fill("https://hooks.example.com/other");
    await inDialog(page, "Save").click();
    await page.getByText(/^Must have its value again/).waitFor();
    expect(await page.getByLabel("Value of header 1").getAttribute("aria-invalid")).toBe("true");
    await inDialog(page, "Cancel").click();

    await button(page, "More actions").click();
    await button(page, "Rotate secret").click();
    await inDialog(page, "Rotate secret").click();
    await page.getByText(/^The previous secret signs too, until it ends (tomorrow|in 24 hours)/).waitFor();
    await button(page, "I have stored it").click();
    await page.getByText("The previous secret signs too. It ends").waitFor();
    await button(page, "More actions").click();
    await button(page, "Rotate secret").click();
    await inDialog(page, "Rotate secret").click();
    await page.getByText("An earlier secret still signs").waitFor();
    await opened.picture("webhook-rotate");
    await page.getByRole("dialog").getByRole("combobox").selectOption("Not at all");
    await inDialog(page, "Rotate all the same").click();
    await button(page, "I have stored it").click();
    await page.getByText("The previous secret signs too. It ends").waitFor({ state: "detached" });

    await button(page, "More actions").click();
    await button(page, "Delete").click();
    await page.getByText("Deliveries that are not over are cancelled").waitFor();
    await inDialog(page, "Delete subscription").click();
    await heading(page, "No system is subscribed yet").waitFor();
    await page.goBack();
    await heading(page, "No such subscription").waitFor();
  });

  test("what failed is replayed with the keyboard at 360 px", async () => {
    const { tenant, id } = failing;
    const { page, ...opened } = await dashboard.open({
      as: ownerOf(tenant),
      at: "/webhooks",
      width: 360,
      height: 740,
    });
    await statusIs(tenant, id, "failed", 2);
    await page.getByText("Failing", { exact: true }).waitFor();
    await page.getByText(/^\d+ attempts failed in a row: the receiver responds with 503\.$/).waitFor();
    await opened.picture("webhooks-narrow");
    await tabTo(page, "Create subscription");
    await page.keyboard.press("Enter");
    await heading(page, "Create a subscription").waitFor();
    await opened.expectNoSidewaysScroll();
    await opened.picture("webhooks-create-narrow");
    await page.keyboard.press("Escape");
    await tabTo(page, LONG);
    await page.keyboard.press("Enter");
    await heading(page, LONG).waitFor();
    await opened.picture("webhook-narrow");

    behaviours["/down"] = () => 200;
    await tabTo(page, "Replay");
    await page.keyboard.press("Enter");
    await page.getByLabel("Since").fill("2031-01-01T00:00");
    await page.keyboard.press("Enter");
    await page.getByText("Must be in the past.").waitFor();
    await page.getByLabel("Since").fill("2020-01-01T00:00");
    await page.getByLabel("Until").fill("2019-01-01T00:00");
    await tabTo(page, "Count first");
    await page.keyboard.press("Enter");
    await page.getByText("Must be after since.").waitFor();
    await page.getByLabel("Until").fill("");
    await tabTo(page, "Only some events");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByLabel("File uploaded").check();
    await tabTo(page, "Count first");
    await page.keyboard.press("Enter");
    await page.getByText("Nothing to replay").waitFor();
    await page.getByRole("dialog").getByLabel("File uploaded").uncheck();
    await opened.expectNoSidewaysScroll();
    await opened.picture("webhook-replay-types-narrow");
    await tabTo(page, "Count first");
    await page.keyboard.press("Enter");
    await page.getByText("2 will be sent").waitFor();
    await opened.expectNoSidewaysScroll();
    await opened.picture("webhook-replay-narrow");
    await tabTo(page, "Start the replay");
    await page.keyboard.press("Enter");
    await page.getByText("Finished.").waitFor();
    await page.getByText("2 of 2").waitFor();
    expect(new URL(page.url()).search).toMatch(/^\?replay=/);
    await page.getByText("Healthy", { exact: true }).waitFor();
    await opened.picture("webhook-replayed-narrow");
    await page.getByRole("row", { name: "What failed" }).scrollIntoViewIfNeeded();
    await opened.picture("webhook-replays-narrow");
    await tabTo(page, "Hide");
    await page.keyboard.press("Enter");
    await page.getByText("2 of 2").waitFor({ state: "detached" });
  });

  test("the event types are explained, and lead to a subscription", async () => {
    const tenant = await dashboard.platform.createTenant();
    const { page, ...opened } = await dashboard.open({
      as: ownerOf(tenant),
      at: "/webhooks/event-types",
      width: 360,
      height: 740,
    });
    const type = page.getByRole("group").filter({ hasText: "media.processed" }).first();
    await tabTo(page, /^File processed/);
    await page.keyboard.press("Enter");
    await type.getByText(`"tenant_id": "${tenant.tenantId}"`).first().waitFor();
    await opened.picture("event-types-narrow");
    await page.setViewportSize({ width: 1280, height: 800 });
    await type.getByText("The JSON Schema of").click();
    await type.getByText("json-schema.org").waitFor();
    await opened.picture("event-types");
    await type.getByRole("link", { name: "Create a subscription for this" }).click();
    expect(await page.getByRole("checkbox", { name: /File processed/ }).isChecked()).toBe(true);
    await refuseOnce(page, "/v1/webhooks/subscriptions", { status: 409, code: "subscription_limit" });
    await page.getByLabel("Name", { exact: true }).fill("One too many");
    await page.getByLabel("URL", { exact: true }).fill("https://example.com/hooks");
    await inDialog(page, "Create subscription").click();
    await page.getByText("This shop has 50 subscriptions, which is the limit").waitFor();
  });

  test("an editor sees everything and is offered no change", async () => {
    const { tenant } = dashboard;
    const id = await subscribe(tenant, "Seen by editors", "/seen");
    const staff = await dashboard.addStaff("editor");
    const { page, ...opened } = await dashboard.open({ as: staff, at: "/webhooks?create=true" });
    await page.getByText("You are signed in as editor.").waitFor();
    await page.getByRole("link", { name: "Seen by editors" }).waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await button(page, "Create subscription").count()).toBe(0);
    await page.getByRole("link", { name: "Seen by editors" }).click();
    await page.getByText("authorization: •••").waitFor();
    await page.getByText("You are signed in as editor.").waitFor();
    expect(new URL(page.url()).pathname).toBe(`/dashboard/webhooks/${id}`);
    for (const name of ["Send a test", "Edit", "Pause", "Replay", "Delete"])
      expect(await page.getByRole("button", { name, exact: true, includeHidden: true }).count()).toBe(0);
    await button(page, "More actions").click();
    await button(page, "The request behind this screen").click();
    await page.getByRole("dialog").getByText(`/v1/webhooks/subscriptions/${id}`).waitFor();
    await opened.picture("webhook-editor");
    await page.goto(`${dashboard.platform.url}/dashboard/webhooks/event-types`);
    await page.getByText("File uploaded", { exact: true }).click();
    await page.getByText("An admin can create a subscription for this.").locator("visible=true").waitFor();
  });
});
