// /docs in a real browser on a real platform: the page shows every operation, sends requests with an API key, and can reach
// nothing else.
import { until } from "@tradepost/testing";
import type { Browser, Page } from "playwright-core";
import { describedOperations } from "../support/api-description.ts";
import { describeWithBrowser, openWatchedPage, sharedBrowser, type WatchedPage } from "../support/browser.ts";
import { sharedPlatform } from "../support/test-platform.ts";

const platform = await sharedPlatform();
const tenant = await platform.createTenant();

describeWithBrowser("the reference page in a browser (if there is one)", () => {
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    browser = await sharedBrowser();
  });
  beforeEach(async () => {
    watched = await openWatchedPage(browser, platform.url);
    page = watched.page;
  });
  afterEach(() => watched.close());

  const open = async (fragment = "") => {
    await page.goto(`${platform.url}/docs${fragment}`);
    await page.locator(".opblock").first().waitFor();
  };
  const operation = (id: string) => page.locator(`.opblock[id$="-${id}"]`);

  const authorize = async () => {
    await page.getByRole("button", { name: "Authorize" }).first().click();
    await page.locator(".auth-container input").fill(tenant.apiKey);
    await page.locator(".auth-btn-wrapper").getByRole("button", { name: "Apply credentials" }).click();
    await page.locator(".auth-btn-wrapper").getByRole("button", { name: "Close" }).click();
  };

  /** Sends a request with the form of an operation and returns the response that the page shows. */
  const tryOut = async (operationId: string, path: string, body?: unknown) => {
    const block = operation(operationId);
    // The page has only the operations near the screen.
    await page.getByPlaceholder("Filter by tag or path").fill(path);
    await operation("getApiDescription").waitFor({ state: "detached" });
    await block.locator(".opblock-summary-control").click();
    await block.getByRole("button", { name: "Try it out" }).click();
    if (body !== undefined) await block.locator("textarea.body-param__text").fill(JSON.stringify(body));
    await block.getByRole("button", { name: "Execute" }).click();
    const live = block.locator(".live-responses-table");
    await live.waitFor();
    return {
      status: Number(await live.locator("tbody .response-col_status").first().textContent()),
      body: JSON.parse(
        (await live.locator("tbody .response-col_description .highlight-code code").first().textContent()) ??
          "",
      ),
      headers: await live.locator("tbody .response-col_description .headerline").allTextContents(),
    };
  };

  test("shows every operation of the description, without a fault", async () => {
    await open();
    // The first screen has operations, and the rules of all requests are folded.
    expect((await page.locator(".opblock").first().boundingBox())?.y).toBeLessThan(720);
    const ids = describedOperations.map(({ operationId }) => operationId);
    // Only what is near the screen is in the page, and a busy browser may leave some out at first.
    const isAtEnd = "scrollY + innerHeight >= document.documentElement.scrollHeight - 1";
    const shown = new Set<string>();
    await until("every operation", async () => {
      for (const id of await page
        .locator(".opblock")
        .evaluateAll((blocks) => blocks.map((block) => block.id)))
        shown.add(id);
      await page.mouse.wheel(0, (await page.evaluate(isAtEnd)) ? -100_000 : 600);
      return ids.every((id) => [...shown].some((block) => block.endsWith(`-${id}`)));
    });
    await page.mouse.wheel(0, -100_000);
    const rules = page.getByText("An unknown field in a body");
    expect(await rules.isVisible()).toBe(false);
    await page.getByText("Responses, lists, repeated requests").click();
    expect(await rules.isVisible()).toBe(true);
    expect(await page.title()).toBe("Tradepost API reference");
    expect(watched.faults).toEqual([]);
  });

  test("opens an operation that an address names, with the schemas and responses that it refers to", async () => {
    await open("#/Orders/placeOrder");
    const body = operation("placeOrder").locator(".opblock-body");
    await body.getByText("A limit of the caller or the tenant is reached").waitFor();
    await body.getByRole("tab", { name: "Schema" }).first().click();
    await body.getByText("customerId", { exact: true }).first().waitFor();
    expect(watched.faults).toEqual([]);
  });

  test("sends requests with an API key, shows the responses, and forgets the key when it is reloaded", async () => {
    await open();
    await authorize();
    const me = await tryOut("getMe", "/v1/me");
    expect(me.status).toBe(200);
    expect(me.body.data.tenant.id).toBe(tenant.tenantId);
    expect(me.headers.join("\n")).toMatch(/x-request-id: /i);
    const placed = await tryOut("placeOrder", "/v1/orders", {
      customerId: tenant.customerId,
      items: [{ sku: "MUG-1", name: "Mug", quantity: 3, unitPrice: 19.99 }],
    });
    expect(placed.status).toBe(201);
    expect(placed.headers.join("\n")).toMatch(/location: \/v1\/orders\//i);
    const { data } = (await tenant.key.get(`/v1/orders/${placed.body.data.id}`)).body;
    expect(data.items).toMatchObject([{ sku: "MUG-1", quantity: 3 }]);
    expect(watched.faults).toEqual([]);
    // A reload of an address that names an operation would open and close others.
    await page.goto("about:blank");
    await open();
    expect((await tryOut("getMe", "/v1/me")).status).toBe(401);
  });

  test("reaches neither cookies nor storage, and sends no cookie", async () => {
    const refreshSecret = {
      name: "tradepost_refresh",
      value: "secret",
      domain: "127.0.0.1",
      path: "/v1/auth",
    };
    await watched.context.addCookies([{ ...refreshSecret, httpOnly: true, sameSite: "Strict" }]);
    await open();
    const sent = page.waitForRequest("**/v1/auth/refresh");
    const reached = await page.evaluate(REACH);
    expect(reached).toEqual({
      origin: "null",
      cookies: "SecurityError",
      storage: "SecurityError",
      refresh: "TypeError",
      elsewhere: "TypeError",
    });
    expect((await (await sent).allHeaders()).cookie).toBeUndefined();
    expect(watched.faults.join("\n")).toMatch(/127\.0\.0\.1:9\/' violates .*"connect-src 'self'"/);
  });
});

/** A script that runs in the page and returns what it can reach. */
const REACH = `(async () => {
  const outcome = (action) => {
    try {
      return String(action());
    } catch (error) {
      return error.name;
    }
  };
  const nameOf = (error) => error.name;
  return {
    origin: self.origin,
    cookies: outcome(() => document.cookie),
    storage: outcome(() => localStorage.length),
    refresh: await fetch("/v1/auth/refresh", { method: "POST", credentials: "include" }).catch(nameOf),
    elsewhere: await fetch("http://127.0.0.1:9/").catch(nameOf),
  };
})()`;
