// Filters, replays and the ledger: what a subscription receives, what it receives later or again, and the proof that nothing is
// missing.
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import type { Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import type { TestTenant } from "../support/test-platform.ts";
import { ownerOf, refuseOnce, tabTo, useDashboard, useReceiver } from "./support/dashboard.ts";

const LONG_AGO = "2020-01-01T00:00";

describeWithBrowser("filters, replays and the ledger in a browser (if there is one)", () => {
  const dashboard = useDashboard();
  const receiver = useReceiver();

  const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const inDialog = (page: Page, name: string) =>
    page.getByRole("dialog").getByRole("button", { name, exact: true });

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

  async function subscribe(tenant: TestTenant, name: string, path: string): Promise<string> {
    const { body } = await tenant.owner.post("/v1/webhooks/subscriptions", {
      name,
      url: receiver.url + path,
      events: ["redirect.added"],
    });
    return body.data.id;
  }

  /** Opens the dialog, counts, starts the replay, and waits for its end. */
  async function replay(page: Page, what: string, count: number): Promise<void> {
    await button(page, "Replay").click();
    await page.getByRole("radio", { name: what }).check();
    await page.getByLabel("Since").fill(LONG_AGO);
    await inDialog(page, "Count first").click();
    await page.getByText(`${count} will be sent`).waitFor();
    await inDialog(page, "Start the replay").click();
    await page.getByText(`${count} of ${count}`).waitFor();
    await page.getByText("Finished.").waitFor();
  }

  test("a filter is tried, saved, explained and removed, and what it kept back is replayed", async () => {
    const tenant = await dashboard.platform.createTenant();
    await redirects(tenant, "/winter/a", "/winter/b", "/summer/c");
    const { page, ...opened } = await dashboard.open({ as: ownerOf(tenant), at: "/webhooks?create=true" });
    await page.getByLabel("Name", { exact: true }).fill("Search");
    await page.getByLabel("URL", { exact: true }).fill(`${receiver.url}/search`);
    const from = page.getByLabel("Redirects from paths that begin with");
    const media = page.getByLabel("Media types that begin with");
    await page.getByText("Which fields there are depends on the events.").waitFor();
    expect(await from.isVisible()).toBe(false);
    await inDialog(page, "Try on past events").click();
    await page.getByText("Must contain at least 1 event type.").waitFor();

    // The form offers only fields of the selected events.
    await page.getByRole("checkbox", { name: /Redirect added/ }).check();
    await page.getByRole("checkbox", { name: /File uploaded/ }).check();
    await page.getByRole("checkbox", { name: /Entry changed/ }).check();
    await media.fill("image/");
    await opened.picture("filter-fields");
    await page.getByRole("checkbox", { name: /Entry changed/ }).uncheck();
    await page.getByRole("checkbox", { name: /File uploaded/ }).uncheck();
    await media.waitFor({ state: "hidden" });
    await from.fill(Array.from({ length: 21 }, (_, index) => `/${index}`).join("\n"));
    await inDialog(page, "Try on past events").click();
    await page.getByText("Must be a list of 1 to 20 texts.").waitFor();
    expect(await from.getAttribute("aria-invalid")).toBe("true");
    await opened.picture("filter-refused");
    await from.fill("/winter\n\n");
    await page.getByText("Must be a list of 1 to 20 texts.").waitFor({ state: "detached" });
    await inDialog(page, "Try on past events").click();
    await page.getByText("2 of the latest 3 events match").waitFor();
    expect(await page.getByRole("dialog").getByRole("listitem").count()).toBe(2);
    await page.getByRole("dialog").getByText("The newest that match").scrollIntoViewIfNeeded();
    await opened.expectAccessible("filter-preview");
    await inDialog(page, "Create subscription").click();
    await button(page, "I have stored it").click();
    await page.getByText("Only redirects from a path that begins with “/winter”").waitFor();
    await page.getByText("Nothing was replayed yet.").waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const { body } = await tenant.owner.get(`/v1/webhooks/subscriptions/${id}`);
    expect(body.data.filter).toEqual({ fromPrefix: ["/winter"] });

    const [filtered] = await redirects(tenant, "/winter/d", "/summer/e");
    await page.goto(`${dashboard.platform.url}/dashboard/events/${filtered}`);
    const why = page.getByRole("row", { name: "Search" });
    await why.getByText("The filter of the subscription kept it back: its path does not match.").waitFor();
    await why.getByText("Filtered", { exact: true }).waitFor();
    await opened.picture("event-filtered");
    await why.getByRole("link", { name: "Open the subscription" }).click();

    // Two events are older than the subscription.
    await replay(page, "What is missing", 2);
    const row = page.getByRole("row", { name: "What is missing" });
    await row.getByText("Finished", { exact: true }).waitFor();
    await opened.picture("webhook-replayed");
    await row.scrollIntoViewIfNeeded();
    await opened.picture("webhook-replays");

    await button(page, "Edit").click();
    expect(await from.inputValue()).toBe("/winter");
    await from.fill("");
    await inDialog(page, "Save").click();
    await page.getByText("None: all these events are sent").waitFor();
    await replay(page, "What is missing", 2);
    await row.nth(1).waitFor();
    await row.last().getByRole("link").click();
    await page.waitForURL((url) => url.search.startsWith("?replay="));
    await until(
      "all 5 at the receiver",
      () => receiver.received.filter(({ path }) => path === "/search").length === 5,
    );
  });

  test("a replay is cancelled, and only one runs at a time", async () => {
    const tenant = await dashboard.platform.createTenant();
    const id = await subscribe(tenant, "Paused", "/paused");
    await redirects(tenant, "/a", "/b");
    await until(
      "both at the receiver",
      () => receiver.received.filter(({ path }) => path === "/paused").length === 2,
    );
    const { page, ...opened } = await dashboard.open({ as: ownerOf(tenant), at: `/webhooks/${id}` });
    await button(page, "Pause").click();
    await inDialog(page, "Pause").click();
    await button(page, "Resume").waitFor();
    await button(page, "Replay").click();
    await page.getByRole("radio", { name: "Everything" }).check();
    await page.getByText("When it happened, or later.").waitFor();
    await refuseOnce(page, `/v1/webhooks/subscriptions/${id}/replays`, {
      status: 409,
      code: "replay_running",
    });
    await inDialog(page, "Count first").click();
    await page.getByText("Another replay is running").waitFor();
    await inDialog(page, "Count first").click();
    await page.getByText("2 will be sent").waitFor();
    await page.getByText("It waits until the subscription is resumed.").waitFor();
    await opened.expectAccessible("webhook-replay");
    await inDialog(page, "Start the replay").click();
    await page.getByText("Finished.").waitFor();
    await button(page, "Cancel the replay").click();
    await page.getByText("What was sent stays sent.").waitFor();
    await inDialog(page, "Cancel the replay").click();
    await page.getByText("Cancelled. 2 were not sent.").waitFor();
    await page.getByText("0 of 2").waitFor();
    expect(await button(page, "Cancel the replay").count()).toBe(0);
    await page.getByRole("row", { name: "Everything" }).getByText("Cancelled", { exact: true }).waitFor();
    await opened.picture("webhook-replay-cancelled");

    // A replay that was sent has nothing left to cancel.
    await button(page, "Resume").click();
    await inDialog(page, "Resume").click();
    await button(page, "Pause").waitFor();
    await replay(page, "Everything", 2);
    await until(
      "both once more",
      () => receiver.received.filter(({ path }) => path === "/paused").length === 4,
    );
    await until("both delivered", async () => {
      const { body } = await tenant.owner.get(
        `/v1/webhooks/deliveries?subscriptionId=${id}&status=delivered`,
      );
      return body.data.length === 2;
    });
    await button(page, "Cancel the replay").click();
    await inDialog(page, "Cancel the replay").click();
    await page.getByText("Everything was sent already.").first().waitFor();
  });

  test("the ledger has each day with its types and a digest to copy", async () => {
    const tenant = await dashboard.platform.createTenant();
    const name = `Receiver${"x".repeat(192)}`;
    const id = await subscribe(tenant, name, "/ledger");
    await redirects(tenant, "/a", "/b");
    const day = new Date().toISOString().slice(0, 10);
    const ledger = await until("both delivered", async () => {
      const { body } = await tenant.owner.get(`/v1/webhooks/ledger?subscriptionId=${id}&day=${day}`);
      return body.data.types[0]?.delivered === 2 && body.data;
    });
    const { page, ...opened } = await dashboard.open({ as: ownerOf(tenant), at: `/webhooks/${id}` });
    // Earlier days are simulated, because the log of the test begins today.
    const asked: string[] = [];
    await page.route("**/v1/webhooks/ledger?*", async (route) => {
      const asksFor = new URL(route.request().url()).searchParams.get("day") ?? "";
      asked.push(asksFor);
      const age = Math.round((Date.parse(day) - Date.parse(asksFor)) / 86_400_000);
      if (age === 0) return await route.continue();
      if (age > 9) {
        const error = { code: "not_found", message: "The day was not found.", requestId: "r-1" };
        return await route.fulfill({ status: 404, json: { success: false, error } });
      }
      const count = { events: 1_234 * age, matched: 1_200 * age, filtered: 20, waiting: 0, cancelled: 0 };
      const types = [
        { type: "content.entry.updated", ...count, delivered: 1_200 * age - 2, failed: 2 },
        { type: "redirect.added", ...count, delivered: 1_200 * age, failed: 0 },
      ];
      const made = { ...ledger, day: asksFor, closed: true, types: age === 2 ? [] : types };
      await route.fulfill({ json: { success: true, data: made } });
    });
    await page.getByRole("link", { name: "What became of the events of each day" }).click();
    await heading(page, `Ledger: ${name}`).waitFor();
    await page.getByRole("row").nth(7).waitFor();
    expect(asked).toHaveLength(7);
    const row = page.getByRole("row").nth(1);
    await row.getByText("Open", { exact: true }).waitFor();
    await page.getByRole("row").nth(2).getByText("Closed", { exact: true }).waitFor();
    await row.getByRole("button", { expanded: false }).click();
    await page.getByRole("row", { name: "Redirect added" }).waitFor();
    expect(new URL(page.url()).search).toBe(`?day=${day}`);
    await row.getByRole("button", { name: /^Copy/ }).click();
    await row.getByText("Copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(ledger.digest);
    await page.getByRole("row").nth(3).getByRole("button", { expanded: false }).click();
    await page.getByRole("row", { name: "Entry changed" }).waitFor();
    await opened.picture("ledger");
    await page.getByRole("link", { name: "Show the last 30 days" }).click();
    await page.getByText(/^The log begins on/).waitFor();
    expect(await page.getByRole("row").count()).toBe(13);
    for (const width of [1024, 800]) {
      await page.setViewportSize({ width, height: 800 });
      await opened.expectNoSidewaysScroll();
      await opened.picture(`ledger-${width}`);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await page.getByText(/^The log begins on/).waitFor();
    await tabTo(page, /^\d+ \w+ \d{4}$/);
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: "Redirect added" }).waitFor();
    await opened.picture("ledger-narrow");
    await opened.expectNoSidewaysScroll();
  });

  test("a viewer sees replays and the ledger, and starts none", async () => {
    const { tenant } = dashboard;
    const id = await subscribe(tenant, "Seen", "/seen");
    await redirects(tenant, "/seen");
    const started = await tenant.owner.post(`/v1/webhooks/subscriptions/${id}/replays`, {
      ...{ since: "2020-01-01T00:00:00.000Z", include: "all" },
    });
    const staff = await dashboard.addStaff("viewer");
    const { page } = await dashboard.open({
      as: staff,
      at: `/webhooks/${id}?replay=${started.body.data.id}`,
    });
    await page.getByText("Finished.").waitFor();
    await page.getByRole("row", { name: "Everything" }).waitFor();
    for (const name of ["Replay", "Cancel the replay"]) expect(await button(page, name).count()).toBe(0);
    await page.goto(`${dashboard.platform.url}/dashboard/webhooks/${id}/ledger`);
    await page.getByRole("row").nth(7).waitFor();
  });
});
