// Signing in to the dashboard, sessions in several tabs, and the fate of typed text when a session ends.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { buildDashboard } from "@tradepost/devstack";
import { until } from "@tradepost/testing";
import type { BrowserContext, Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import { PHONE, refuseOnce, type Staff, useDashboard } from "./support/dashboard.ts";
import { alert, gone, heading, title } from "./support/places.ts";
import { startSlowRefreshes } from "./support/slow-refreshes.ts";
import * as user from "./support/user.ts";

const KEYS = "/ai-integrations";
const REFRESH = "**/v1/auth/refresh";

/** Returns the secret in the cookie, with which the next refresh is made. */
async function secretIn(context: BrowserContext): Promise<string | undefined> {
  return (await context.cookies()).find(({ name }) => name === "tradepost_refresh")?.value;
}

describeWithBrowser("the dashboard in a browser (if there is one)", () => {
  const dashboard = useDashboard();

  test("signs in, with no skeleton before it, and goes on to the address that was asked for", async () => {
    const { page, ...opened } = await dashboard.open({ as: null, at: "/sign-in?failure=expired", ...PHONE });
    await user.see(page, alert("It was used, or is older than 10 minutes."));
    await opened.expectAccessible();
    const refreshed = Promise.withResolvers<void>();
    await page.route(REFRESH, (route) => refreshed.promise.then(() => route.continue()));
    const assets = Promise.withResolvers<void>();
    await page.route(/\/dashboard\/assets\//, (route) => assets.promise.then(() => route.continue()));
    await page.goto(`${dashboard.platform.url}/dashboard${KEYS}?all=true`, { waitUntil: "commit" });
    const skeleton = page.getByRole("status", { name: "Loading…" });
    await page.locator("#boot").waitFor({ state: "attached" });
    expect(await skeleton.count()).toBe(0);
    assets.resolve();
    await page.getByLabel("E-mail").fill(dashboard.owner.email);
    expect(await skeleton.count()).toBe(0);
    await page.getByLabel("Password").fill("not the password");
    await user.press(page, "Sign in");
    refreshed.resolve();
    await user.see(page, alert("The e-mail or the password is wrong."));
    await refuseOnce(page, "/v1/auth/login", { status: 429, code: "rate_limited", retryAfterSeconds: 600 });
    await user.submit(page, { Password: dashboard.owner.password }, alert(/try again in (10:00|9:5\d)/));
    expect(await page.getByRole("button", { name: "Sign in" }).getAttribute("aria-disabled")).toBe("true");
    await page.reload();
    await user.submit(page, { "E-mail": dashboard.owner.email, Password: dashboard.owner.password });
    await user.see(page, title("API keys"));
    expect(new URL(page.url()).search).toBe("?all=true");
    expect(await page.title()).toBe("API keys · Tradepost");
  });

  test("is used with the keyboard, and keeps the token in memory only", async () => {
    const { page, context } = await dashboard.open({}, title("Test Shop"));
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("content");
    const kept = await page.evaluate("[{ ...localStorage }, { ...sessionStorage }, document.cookie]");
    expect(kept).toEqual([{ "tradepost-session": dashboard.owner.email }, {}, ""]);
    for (const { httpOnly, sameSite, path } of await context.cookies())
      expect({ httpOnly, sameSite, path }).toEqual({ httpOnly: true, sameSite: "Strict", path: "/v1/auth" });
    // The cookie is enough to continue the session.
    await page.evaluate("localStorage.clear()");
    await user.reload(page, title("Test Shop"));
    await user.enter(page, "API keys", page.getByRole("table"));
    expect(await page.evaluate("document.activeElement.textContent")).toBe("API keys");
    await user.back(page, title("Test Shop"));
    await user.press(page, "Sign out", title("Sign in to Tradepost"));
    expect(await page.evaluate("localStorage.length")).toBe(0);
  });

  test("stays signed in although several tabs refresh at once", async () => {
    const { page, context } = await dashboard.open({ at: KEYS });
    const others = await Promise.all([context.newPage(), context.newPage()]);
    const tabs = [page, ...others];
    for (const tab of tabs) await tab.clock.install();
    await Promise.all(tabs.map((tab) => tab.goto(`${dashboard.platform.url}/dashboard${KEYS}`)));
    await Promise.all(tabs.map((tab) => tab.getByRole("table").waitFor()));
    // The tokens of all tabs expire.
    await Promise.all(tabs.map((tab) => tab.clock.fastForward("16:00")));
    const read = tabs.map((tab) => tab.waitForResponse("**/v1/me"));
    await Promise.all(tabs.map((tab) => tab.evaluate("dispatchEvent(new Event('visibilitychange'))")));
    for (const response of read) expect((await response).status()).toBe(200);
    for (const tab of tabs) expect(await tab.getByRole("table").isVisible()).toBe(true);
    const reused = await dashboard.tenant.owner.get("/v1/audit-log?action=auth.refresh_reused");
    expect(reused.body.data).toEqual([]);
    // Signing out ends the session in all tabs.
    await user.press(page, "Sign out");
    await Promise.all(
      tabs.map((tab) => tab.getByRole("heading", { name: "Sign in to Tradepost" }).waitFor()),
    );
  });

  test("stays signed in although it is loaded again and again while refreshes are slow", async () => {
    const slow = await startSlowRefreshes(dashboard.platform.url);
    const { page, context, close } = await dashboard.open({ at: "/no-such-page" });
    // A page waits 2 s for a response that the page before it missed. The clock stands, so that a slow machine is in time.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 1_000);
    await Promise.all([page.goto(`${slow.url}/dashboard/`), page.waitForRequest(REFRESH)]);
    for (let reloads = 0; reloads < 2; reloads += 1) {
      await page.reload();
      const secret = await secretIn(context);
      slow.release();
      await until("the next secret", async () => (await secretIn(context)) !== secret);
      await Promise.all([page.waitForRequest(REFRESH), page.clock.fastForward(2_000)]);
    }
    await page.clock.resume();
    slow.release();
    await user.see(page, heading("Test Shop"));
    const reused = await dashboard.tenant.owner.get("/v1/audit-log?action=auth.refresh_reused");
    expect(reused.body.data).toEqual([]);
    await close();
    await slow.stop();
  });

  test("goes on by itself after the connection and a limit, and on request after another failure", async () => {
    const { page, context } = await dashboard.open();
    await page.waitForResponse(/ai-integrations-[^/]*\.js$/);
    await context.setOffline(true);
    await user.follow(page, "API keys", page.getByRole("status").getByText("You are offline."));
    await context.setOffline(false);
    await user.see(page, page.getByRole("table"));
    expect(await page.getByText("You are offline.").count()).toBe(0);
    // Long enough to be seen on a slow machine.
    const refusal = { status: 429, code: "rate_limited", retryAfterSeconds: 8 };
    const requests = await refuseOnce(page, "/v1/usage", refusal);
    await user.follow(page, "Usage", page.getByRole("status").getByText(/Going on in 0:0\d/));
    await user.see(page, page.getByRole("meter", { name: "Media" }));
    expect(requests()).toBe(2);
    await refuseOnce(page, "/v1/users?limit=100", { status: 403, code: "forbidden" });
    await user.follow(page, "Staff", alert("Your role does not allow this"));
    await user.press(page, "Try again", page.getByRole("table"));
  });

  const item = (page: Page) => page.getByRole("group", { name: "Item 1", exact: true });
  const typeOrder = (page: Page) =>
    user.fillExactly(item(page), { Name: "Mug", SKU: "M-1", Quantity: "3", "Unit price": "2" });
  const openOrder = async () => {
    const at = `/orders/new?customerId=${dashboard.tenant.customerId}`;
    const opened = await dashboard.open({ as: dashboard.editor, at });
    await typeOrder(opened.page);
    return opened;
  };
  const again = (page: Page) => page.getByRole("dialog", { name: "Sign in again" });
  const email = (page: Page) => again(page).getByLabel("E-mail");
  const signInAgain = async (page: Page, { password }: Staff) => {
    await again(page).getByLabel("Password").fill(password);
    await user.click(again(page).getByRole("button", { name: "Sign in", exact: true }), gone(again(page)));
  };
  const endSession = async () => {
    const { body } = await dashboard.tenant.owner.get("/v1/users");
    const { id } = body.data.find((user: { email: string }) => user.email === dashboard.editor.email);
    await dashboard.tenant.owner.delete(`/v1/users/${id}/sessions`);
  };

  test("an order that is typed outlives its session, and is discarded on request only", async () => {
    const { page } = await openOrder();
    await user.press(page, "Sign out", page.getByRole("dialog", { name: "Leave without saving?" }));
    await user.press(page, "Stay here");
    expect(await item(page).getByLabel("Name").inputValue()).toBe("Mug");
    await endSession();
    await user.press(page, "Place order");
    expect(await email(page).inputValue()).toBe(dashboard.editor.email);
    await signInAgain(page, dashboard.editor);
    await user.press(page, "Place order", title(/^Order 1/));

    // A screen without typed text leads to the sign-in, and from there back.
    await endSession();
    await user.confirm(page, "Cancel order", "Cancel order", title("Sign in to Tradepost"));
    await user.fill(page, { "E-mail": dashboard.editor.email, Password: dashboard.editor.password });
    await user.press(page, "Sign in", title(/^Order 1/));

    await user.follow(page, "All orders");
    await user.follow(page, "Place an order");
    await typeOrder(page);
    await user.press(page, "Sign out");
    await user.press(page, "Discard my changes", title("Sign in to Tradepost"));
  });

  test("a sign-out in another tab keeps the order for its user, and for nobody else", async () => {
    const { page, context, ...opened } = await openOrder();
    const other = await context.newPage();
    await other.goto(`${dashboard.platform.url}/dashboard/`);
    await user.press(other, "Sign out", title("Sign in to Tradepost"));
    await other.close();
    await user.see(page, again(page).getByText("Sign in as Ada editor"));
    await opened.expectAccessible();
    // Signing out removes the e-mail.
    expect(await email(page).inputValue()).toBe("");
    await email(page).fill(dashboard.editor.email);
    // Only its own buttons close the dialog, which hides the screen.
    await user.key(page, "Escape Escape");
    expect(await again(page).isVisible()).toBe(true);
    const backdrop = `getComputedStyle(document.querySelector("dialog"), "::backdrop").backgroundColor`;
    expect(await page.evaluate(backdrop)).toMatch(/^rgb\(/);
    await signInAgain(page, dashboard.editor);
    expect(await item(page).getByLabel("Name").inputValue()).toBe("Mug");
    await endSession();
    await user.press(page, "Place order");
    await email(page).fill(dashboard.owner.email);
    await signInAgain(page, dashboard.owner);
    await user.see(page, title("Test Shop"));
    expect(await page.locator("form.form").count()).toBe(0);
  });

  test("an order is discarded at the sign-in", async () => {
    const { page } = await openOrder();
    await endSession();
    await user.press(page, "Place order");
    await again(page).getByRole("button", { name: "Discard what I typed" }).click();
    await user.see(page, title("Sign in to Tradepost"));
  });
});

test("the first screen loads at most 150 KB of JavaScript and 15 KB of styles, compressed", async () => {
  const directory = await buildDashboard();
  const assets = path.join(directory, "assets");
  const html = readFileSync(path.join(directory, "index.html"), "utf8");
  expect(html).not.toMatch(/<style|style=|\son\w+=|https?:/);
  // The gateway's policy has the hash of the theme's script.
  expect(html.match(/<script(?![^>]* src=)/g)).toHaveLength(1);
  const isCurrent = (name: string) => html.includes(name) || !name.startsWith("index-");
  const names = readdirSync(assets).filter((name) => isCurrent(name) && !name.endsWith(".br"));
  // As browsers get them from the gateway.
  const brotli = (name: string) => readFileSync(path.join(assets, `${name}.br`)).length;
  // As proxies and clients without Brotli get them.
  const gzip = (name: string) => gzipSync(readFileSync(path.join(assets, name))).length;
  const bytes = (files: Iterable<string>, sizeOf = gzip) =>
    [...files].reduce((sum, name) => sum + sizeOf(name), 0);
  const withImports = (name: string, found = new Set<string>()): Set<string> => {
    if (found.has(name)) return found;
    found.add(name);
    const source = readFileSync(path.join(assets, name), "utf8");
    for (const [, imported = ""] of source.matchAll(/(?:from|import)\s*["']\.\/([\w-]+\.js)["']/g))
      withImports(imported, found);
    return found;
  };
  const scripts = names.filter((name) => name.endsWith(".js"));
  const page = scripts.filter((name) => html.includes(name)).flatMap((name) => [...withImports(name)]);
  expect(page.length).toBeGreaterThan(0);
  // Any screen may be the first. The others are loaded later.
  for (const screen of scripts)
    expect(bytes(new Set([...page, ...withImports(screen)]), brotli)).toBeLessThan(150_000);
  const signIn = scripts.filter((name) => /^sign-in-(?!again|form)/.test(name));
  expect(signIn).toHaveLength(1);
  expect(bytes(new Set([...page, ...signIn.flatMap((name) => [...withImports(name)])]))).toBeLessThan(
    150_000,
  );
  expect(bytes(names.filter((name) => name.endsWith(".css")))).toBeLessThan(15_000);
  // Any of the style sheets may be loaded first.
  for (const styles of readdirSync(assets).filter((name) => name.endsWith(".css")))
    expect(readFileSync(path.join(assets, styles), "utf8").slice(0, 23)).toBe("@layer base,components;");
  const [main = ""] = html.match(/index-[\w-]+\.js/) ?? [];
  const source = readFileSync(path.join(assets, main));
  expect(readFileSync(path.join(assets, `${main}.br`)).equals(brotliCompressSync(source))).toBe(true);
});
