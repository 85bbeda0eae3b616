// Subscriptions are created, tested, paused, changed, rotated, filtered, replayed and deleted. Also: the event types that they may
// name, listeners, and the ledger.
import { verifyWebhook } from "@tradepost/client/webhooks";
import { until } from "@tradepost/testing";
import type { Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import type { TestTenant } from "../support/test-platform.ts";
import {
  type Behaviours,
  ownerOf,
  PHONE,
  refuseOnce,
  useDashboard,
  useReceiver,
} from "./support/dashboard.ts";
import { dialog, exactly, firstOf, gone, heading, linkTo, rowWith } from "./support/places.ts";
import * as shop from "./support/shop.ts";
import * as user from "./support/user.ts";

const HOSTILE = `<img src=x onerror="document.title='stolen'"> ${"w".repeat(120)} evil`;
const LONG = `Receiver${"x".repeat(192)}`;
const LONG_AGO = "2020-01-01T00:00";

describeWithBrowser("webhooks in a browser (if there is one)", () => {
  const dashboard = useDashboard();
  const behaviours: Behaviours = {};
  const receiver = useReceiver(behaviours);
  let failing: { tenant: TestTenant; id: string };
  beforeAll(async () => {
    // The deliveries of this tenant fail for good while the other tests run.
    const tenant = await dashboard.platform.createTenant();
    behaviours["/down"] = () => 503;
    failing = { tenant, id: await subscribe(tenant, LONG, "/down") };
    await redirect(tenant, "/a");
    await redirect(tenant, "/b");
  });

  const subscribe = (tenant: TestTenant, name: string, path: string) =>
    shop.subscribe(tenant, { name, url: receiver.url + path });
  const redirect = (tenant: TestTenant, from: string) => tenant.key.post("/v1/redirects", { from, to: "/n" });
  const arrived = (at: string, count: number) =>
    until(`${count} at ${at}`, () => receiver.received.filter(({ path }) => path === at).length === count);
  /** Adds redirects one after another, and waits until their events have arrived. */
  async function redirects(tenant: TestTenant, ...paths: string[]): Promise<string[]> {
    const { body: before } = await tenant.owner.get("/v1/webhooks/events");
    for (const from of paths) await tenant.key.post("/v1/redirects", { from, to: "/n" });
    return await until("the events", async () => {
      const { body } = await tenant.owner.get("/v1/webhooks/events");
      const count = body.data.length - before.data.length;
      return count === paths.length && body.data.slice(0, count).map(({ id }: { id: string }) => id);
    });
  }

  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

  /** Opens the dialog, counts, starts the replay, and waits for its end. */
  async function replay(page: Page, what: string, count: number): Promise<void> {
    await user.press(page, "Replay");
    await page.getByRole("radio", { name: what }).check();
    await page.getByLabel("Since").fill(LONG_AGO);
    await user.pressIn(page, "Count first", `${count} will be sent`);
    await user.pressIn(page, "Start the replay", `${count} of ${count}`, "Finished.");
  }

  test("a shop subscribes a URL, stores the secret that is shown once, and a test arrives", async () => {
    const { page, ...opened } = await dashboard.open({ at: "/webhooks?state=lost" });
    await user.see(page, heading("No system is subscribed yet"), "/client.tgz tradepost listen");
    await user.follow(page, "Subscribe a URL");
    expect(new URL(page.url()).search).toBe("?create=true");

    await page.getByLabel("URL", { exact: true }).fill("http://localhost:3000/hooks");
    await user.see(page, "tradepost listen --forward-to 'http://localhost:3000/hooks'");

    // Each fault is shown at its field.
    await user.fillExactly(page, { Name: "ERP", URL: "https://10.1.2.3/hooks" });
    for (const [number, name] of [
      [1, "Host"],
      [2, "X-Shop"],
      [3, "X-Shop"],
    ] as const) {
      await user.press(page, "Add a header");
      await page.getByLabel(`Name of header ${number}`).fill(name);
      await page.getByLabel(`Value of header ${number}`).fill("its-own");
    }
    await user.pressIn(page, "Create subscription", firstOf("Is named twice."));
    await user.press(page, "Remove header 3");
    await user.pressIn(page, "Create subscription", "Some fields need attention", "Is set by the platform.");
    expect(await page.getByLabel("URL", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByRole("group", { name: "Events" }).getAttribute("aria-invalid")).toBe("true");
    expect(await page.evaluate("document.activeElement.name")).toBe("url");
    await opened.expectAccessible();

    await user.press(page, "Remove header 1");
    await page.getByLabel("URL", { exact: true }).fill(`${receiver.url}/erp`);
    const events = dialog(page).getByRole("group", { name: "Events" });
    await events.getByLabel("All events").check();
    expect(await events.getByRole("checkbox", { checked: true }).count()).toBe(14);
    await events.getByLabel("All events").uncheck();
    await page.getByRole("checkbox", { name: /Redirect added/ }).check();
    await page.getByText("What is sent for “Redirect added”").click();
    const sent = dialog(page).getByText('"from": "/old-shop"');
    expect(await sent.textContent()).toContain('"to": "/shop"');
    await page.getByLabel("Data", { exact: true }).selectOption("thin");
    await until("the thin body", async () => !(await sent.textContent())?.includes('"to"'));
    await page.getByLabel("Data", { exact: true }).selectOption("full");
    // The buttons are in view, however long the form is.
    await dialog(page).evaluate((element) => element.scrollTo(0, 0));
    const box = await dialog(page).getByRole("button", { name: "Create subscription" }).boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(800);
    await user.pressIn(page, "Create subscription", heading("The signing secret of “ERP”"));
    await page.keyboard.press("Escape");
    await opened.expectAccessible();
    const secret = (await dialog(page).locator("pre").first().textContent()) ?? "";
    expect(secret).toMatch(/^whsec_.{44}$/);
    await user.press(page, "I have stored it", heading("ERP"), exactly("Active"));
    expect(await page.content()).not.toContain(secret);
    const row = page.getByRole("row", { name: "ERP" });

    await user.press(page, "Send a test");
    await dialog(page).getByLabel("Event").selectOption("File processed");
    await user.pressIn(page, "Send", /^It arrived: the receiver accepts it with 200/);
    const { headers, body } = await receiver.waitFor("the test", ({ path }) => path === "/erp");
    expect(await verifyWebhook(secret, headers, body)).toMatchObject({
      type: "media.processed",
      data: { test: true },
    });
    expect(headers["x-shop"]).toBe("its-own");
    await user.press(page, "Close", rowWith("File processed", "200"));
    const chart = page.getByRole("table", { name: "Attempts by hour in the last 24 hours" });
    await until("the attempt in the chart", async () =>
      /^\d+ \w+, \d\d:\d\d10$/.test((await chart.getByRole("row").last().textContent()) ?? ""),
    );
    // The figures are of the whole period.
    const figures = page.locator(".attempt-statistics dl");
    expect(await figures.textContent()).toMatch(/^Attempts1Failed0p50[\d.]+ m?sp95[\d.]+ m?s$/);
    await user.follow(page, "File processed", "Delivered on attempt 1");
    await user.follow(page, "Subscriptions", row.getByText("Healthy"));
    const { tenant } = dashboard;
    await tenant.key.post("/v1/webhooks/listeners", { name: "Laptop", events: ["redirect.removed"] });
    await page.reload();
    const listener = page.getByRole("row", { name: "Laptop" });
    await user.see(page, listener.getByText(/tomorrow|in 24 hours/));
    await listener.getByRole("button", { name: "Delete" }).click();
    await user.press(page, "Delete listener", gone(listener));
  });

  test("a subscription is paused, resumed, changed, rotated and deleted", async () => {
    const tenant = await dashboard.platform.createTenant();
    const id = await subscribe(tenant, "Shop & <b>Sons</b>", "/sons");
    const { page } = await dashboard.open({ as: ownerOf(tenant), at: `/webhooks/${id}` });
    await user.see(page, heading("Shop & <b>Sons</b>"), "authorization: •••");
    await user.press(page, "Pause", "Nothing is lost");
    await user.pressIn(page, "Pause", "Nothing waits yet.");
    await redirect(tenant, "/a");
    await user.see(page, linkTo("1 delivery waits"));
    await user.follow(page, "1 delivery waits", rowWith("Redirect added", "Paused"));
    await user.goTo(page, "/webhooks");
    await user.follow(page, "Shop &");
    await user.confirm(page, "Resume", "Resume", button(page, "Pause"));
    await receiver.waitFor("what waited", ({ path }) => path === "/sons");

    // Someone else changes it while the form is open.
    await user.press(page, "Edit");
    await page.getByLabel("Name", { exact: true }).fill("Mine");
    await page.getByRole("checkbox", { name: /File uploaded/ }).check();
    await tenant.owner.patch(`/v1/webhooks/subscriptions/${id}`, { name: HOSTILE });
    await user.pressIn(page, "Save", "Someone else has changed this meanwhile", rowWith("Name Mine <img"));
    await user.pressIn(page, "Save your version", heading("Mine"));
    const { body } = await tenant.owner.get(`/v1/webhooks/subscriptions/${id}`);
    expect(body.data).toMatchObject({ name: "Mine", headers: { authorization: "•••" } });
    expect(body.data.events).toHaveLength(2);
    await redirect(tenant, "/b");
    const second = await receiver.waitFor("the changed one", ({ path, body: sent }) =>
      Boolean(path === "/sons" && sent.toString().includes('"/b"')),
    );
    expect(second.headers.authorization).toBe("Bearer its-own");

    // A saved header is not sent to another server.
    await user.press(page, "Edit");
    await page.getByLabel("URL", { exact: true }).fill("https://hooks.example.com/other");
    await user.pressIn(page, "Save", /^Must have its value again/);
    expect(await page.getByLabel("Value of header 1").getAttribute("aria-invalid")).toBe("true");
    await user.pressIn(page, "Cancel");

    await user.press(page, "More actions");
    await user.confirm(page, "Rotate secret");
    await user.see(page, /^The previous secret signs too, until it ends (tomorrow|in 24 hours)/);
    await user.press(page, "I have stored it", "The previous secret signs too. It ends");
    await user.press(page, "More actions");
    await user.confirm(page, "Rotate secret", "Rotate secret", "An earlier secret still signs");
    await dialog(page).getByRole("combobox").selectOption("Not at all");
    await user.pressIn(page, "Rotate all the same");
    await user.press(page, "I have stored it", gone("The previous secret signs too. It ends"));

    await user.press(page, "More actions");
    await user.press(page, "Delete", "Deliveries that are not over are cancelled");
    await user.pressIn(page, "Delete subscription", heading("No system is subscribed yet"));
    await user.back(page, heading("No such subscription"));
  });

  test("what failed is replayed with the keyboard at 360 px", async () => {
    const { tenant, id } = failing;
    const { page } = await dashboard.open({ as: ownerOf(tenant), at: "/webhooks", ...PHONE });
    await shop.deliveries(tenant, `subscriptionId=${id}&status=failed`, 2);
    await user.see(page, exactly("Failing"));
    await user.see(page, /^\d+ attempts failed in a row: the receiver responds with 503\.$/);
    await user.enter(page, "Create subscription", heading("Create a subscription"));
    await page.keyboard.press("Escape");
    await user.enter(page, LONG, heading(LONG));

    behaviours["/down"] = () => 200;
    await user.enter(page, "Replay");
    await user.submit(page, { Since: "2031-01-01T00:00" }, "Must be in the past.");
    await page.getByLabel("Since").fill("2020-01-01T00:00");
    await user.enter(page, "Only some events");
    await dialog(page).getByLabel("File uploaded").check();
    await user.enter(page, "Count first", "Nothing to replay");
    await dialog(page).getByLabel("File uploaded").uncheck();
    await user.enter(page, "Count first", "2 will be sent");
    await user.enter(page, "Start the replay", "Finished.", "2 of 2");
    expect(new URL(page.url()).search).toMatch(/^\?replay=/);
    await user.see(page, exactly("Healthy"));
    await user.enter(page, "Hide", gone("2 of 2"));
  });

  test("a filter is tried, saved, explained and removed, and what it kept back is replayed", async () => {
    const tenant = await dashboard.platform.createTenant();
    await redirects(tenant, "/winter/a", "/winter/b", "/summer/c");
    const { page, ...opened } = await dashboard.open({ as: ownerOf(tenant), at: "/webhooks?create=true" });
    await user.fillExactly(page, { Name: "Search", URL: `${receiver.url}/search` });
    const from = page.getByLabel("Redirects from paths that begin with");
    const media = page.getByLabel("Media types that begin with");
    await user.see(page, "Which fields there are depends on the events.");
    expect(await from.isVisible()).toBe(false);
    await user.pressIn(page, "Try on past events", "Must contain at least 1 event type.");

    // The form offers only fields of the selected events.
    await page.getByRole("checkbox", { name: /Redirect added/ }).check();
    await page.getByRole("checkbox", { name: /File uploaded/ }).check();
    await media.fill("image/");
    await page.getByRole("checkbox", { name: /File uploaded/ }).uncheck();
    await media.waitFor({ state: "hidden" });
    await from.fill(Array.from({ length: 21 }, (_, index) => `/${index}`).join("\n"));
    await user.pressIn(page, "Try on past events", "Must be a list of 1 to 20 texts.");
    expect(await from.getAttribute("aria-invalid")).toBe("true");
    await from.fill("/winter\n\n");
    await user.see(page, gone("Must be a list of 1 to 20 texts."));
    await user.pressIn(page, "Try on past events", "2 of the latest 3 events match");
    expect(await dialog(page).getByRole("listitem").count()).toBe(2);
    await dialog(page).getByText("The newest that match").scrollIntoViewIfNeeded();
    await opened.expectAccessible();
    await user.pressIn(page, "Create subscription");
    await user.press(page, "I have stored it", "Only redirects from a path that begins with “/winter”");
    await user.see(page, "Nothing was replayed yet.");
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const { body } = await tenant.owner.get(`/v1/webhooks/subscriptions/${id}`);
    expect(body.data.filter).toEqual({ fromPrefix: ["/winter"] });

    const [filtered] = await redirects(tenant, "/winter/d", "/summer/e");
    await user.goTo(page, `/events/${filtered}`);
    const why = page.getByRole("row", { name: "Search" });
    await why.getByText("The filter of the subscription kept it back: its path does not match.").waitFor();
    await why.getByText("Filtered", { exact: true }).waitFor();
    await why.getByRole("link", { name: "Open the subscription" }).click();

    // Two events are older than the subscription.
    await replay(page, "What is missing", 2);
    await user.press(page, "Edit");
    expect(await from.inputValue()).toBe("/winter");
    await from.fill("");
    await user.pressIn(page, "Save", "None: all these events are sent");
    await replay(page, "What is missing", 2);
    const row = page.getByRole("row", { name: "What is missing" });
    await user.see(page, row.nth(1));
    await row.last().getByRole("link").click();
    await page.waitForURL((url) => url.search.startsWith("?replay="));
    await arrived("/search", 5);
  });

  test("a replay is cancelled, and only one runs at a time", async () => {
    const tenant = await dashboard.platform.createTenant();
    const id = await subscribe(tenant, "Paused", "/paused");
    await redirects(tenant, "/a", "/b");
    await arrived("/paused", 2);
    const { page, ...opened } = await dashboard.open({ as: ownerOf(tenant), at: `/webhooks/${id}` });
    await user.confirm(page, "Pause", "Pause", button(page, "Resume"));
    await user.press(page, "Replay");
    await page.getByRole("radio", { name: "Everything" }).check();
    await user.see(page, "When it happened, or later.");
    await refuseOnce(page, `/v1/webhooks/subscriptions/${id}/replays`, {
      status: 409,
      code: "replay_running",
    });
    await user.pressIn(page, "Count first", "Another replay is running");
    await user.pressIn(page, "Count first", "2 will be sent", "It waits until the subscription is resumed.");
    await opened.expectAccessible();
    await user.pressIn(page, "Start the replay", "Finished.");
    await user.press(page, "Cancel the replay", "What was sent stays sent.");
    await user.pressIn(page, "Cancel the replay", "Cancelled. 2 were not sent.", "0 of 2");
    expect(await button(page, "Cancel the replay").count()).toBe(0);
    await user.see(page, rowWith("Everything", /^Cancelled$/));

    // A replay that was sent has nothing left to cancel.
    await user.confirm(page, "Resume", "Resume", button(page, "Pause"));
    await replay(page, "Everything", 2);
    await arrived("/paused", 4);
    await shop.deliveries(tenant, `subscriptionId=${id}&status=delivered`, 2);
    await user.confirm(page, "Cancel the replay");
    await user.see(page, firstOf("Everything was sent already."));
  });

  test("the ledger has each day with its types and a digest to copy", async () => {
    const tenant = await dashboard.platform.createTenant();
    const id = await subscribe(tenant, LONG, "/ledger");
    await redirects(tenant, "/a", "/b");
    const day = new Date().toISOString().slice(0, 10);
    const ledger = await until("both delivered", async () => {
      const { body } = await tenant.owner.get(`/v1/webhooks/ledger?subscriptionId=${id}&day=${day}`);
      return body.data.types[0]?.delivered === 2 && body.data;
    });
    const { page } = await dashboard.open({ as: ownerOf(tenant), at: `/webhooks/${id}` });
    await user.follow(page, "What became of the events of each day", heading(`Ledger: ${LONG}`));
    await user.see(page, page.getByRole("row").nth(7));
    const row = page.getByRole("row").nth(1);
    await user.see(page, row.getByText("Open", { exact: true }));
    await user.see(page, page.getByRole("row").nth(2).getByText("Closed", { exact: true }));
    await row.getByRole("button", { expanded: false }).click();
    await user.see(page, rowWith("Redirect added"));
    expect(new URL(page.url()).search).toBe(`?day=${day}`);
    await user.click(row.getByRole("button", { name: /^Copy/ }), row.getByText("Copied"));
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(ledger.digest);
    await user.follow(page, "Show the last 30 days", /^(The log begins on|Show the last 7 days)/);
    await page.setViewportSize(PHONE);
    await user.reload(page, rowWith("Redirect added"));
    await user.enter(page, /^\d+ \w+ \d{4}$/, gone(rowWith("Redirect added")));
  });

  test("the event types are explained, and lead to a subscription", async () => {
    const tenant = await dashboard.platform.createTenant();
    const { page } = await dashboard.open({ as: ownerOf(tenant), at: "/webhooks/event-types", ...PHONE });
    const type = page.getByRole("group").filter({ hasText: "media.processed" }).first();
    await user.enter(page, /^File processed/, type.getByText(`"tenant_id": "${tenant.tenantId}"`).first());
    await page.setViewportSize({ width: 1280, height: 800 });
    await user.click(type.getByText("The JSON Schema of"), type.getByText("json-schema.org"));
    await type.getByRole("link", { name: "Create a subscription for this" }).click();
    expect(await page.getByRole("checkbox", { name: /File processed/ }).isChecked()).toBe(true);
    await refuseOnce(page, "/v1/webhooks/subscriptions", { status: 409, code: "subscription_limit" });
    await user.fillExactly(page, { Name: "One too many", URL: "https://example.com/hooks" });
    await user.pressIn(page, "Create subscription", "This shop has 50 subscriptions, which is the limit");
  });
});
