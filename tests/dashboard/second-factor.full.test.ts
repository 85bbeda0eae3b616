// The second factor in the dashboard: setting it up, signing in with it, removing it, requiring it of everybody, and resetting it.
import { readFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { type Authenticator, apiClient, authenticator, bearer } from "@tradepost/testing";
import type { Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import { tabTo, useDashboard } from "./support/dashboard.ts";
import { readQrCode } from "./support/read-qr-code.ts";

const PASSWORD = "three blue harbours";
const QR = "QR code for your authenticator app";

interface Member {
  readonly email: string;
  readonly password: string;
}

describeWithBrowser("the second factor in a browser (if there is one)", () => {
  const dashboard = useDashboard();

  const dialog = (page: Page) => page.getByRole("dialog");
  const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
  const signIn = async (page: Page, { email, password }: Member) => {
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  const addMember = async (name: string, role: string, { owner } = dashboard.tenant): Promise<Member> => {
    const email = `${name.toLowerCase().replaceAll(" ", ".")}@factors.example`;
    const { body } = await owner.post("/v1/users", { name, email, role });
    const { setup } = body.data;
    await apiClient(dashboard.platform.url).post("/v1/auth/setup", {
      token: setup.token,
      password: PASSWORD,
    });
    return { email, password: PASSWORD };
  };
  /** Sets one up over HTTP. */
  const protect = async ({ email, password }: Member) => {
    const api = apiClient(dashboard.platform.url);
    const { token } = (await api.post("/v1/auth/login", { email, password })).body.data;
    const user = apiClient(dashboard.platform.url, bearer(token));
    const made = await user.post("/v1/me/second-factor", { currentPassword: password });
    const app = authenticator(made.body.data.secret);
    const { body } = await user.post("/v1/me/second-factor/confirm", { code: await app.unused() });
    return { app, recoveryCodes: body.data.recoveryCodes as string[] };
  };
  const enterPassword = async (page: Page, password = PASSWORD) => {
    await page.getByLabel("Current password").first().fill(password);
    await page.keyboard.press("Enter");
  };
  /** Scans the QR code, and enters the first code. */
  const setUp = async (page: Page): Promise<Authenticator> => {
    await page.getByRole("img", { name: QR }).waitFor();
    const uri = new URL(await readQrCode(page, QR));
    const app = authenticator(uri.searchParams.get("secret") ?? "");
    await page.getByLabel("Code that the app shows").fill(await app.unused());
    await page.getByRole("button", { name: "Turn on" }).click();
    await heading(page, "Your recovery codes").waitFor();
    return app;
  };
  const shownCodes = async (page: Page) =>
    ((await dialog(page).locator("pre").textContent()) ?? "").trim().split("\n");

  test("is set up with a QR code, and its recovery codes are copied, stored and printed", async () => {
    const member = await addMember("Sara Setter", "viewer");
    const { page, ...opened } = await dashboard.open({ as: member, at: "/account" });
    await page.getByRole("button", { name: "Set up" }).click();
    expect(await page.evaluate("document.activeElement.name")).toBe("currentPassword");
    await enterPassword(page, "not this one");
    await page.locator(".field-error").getByText("Is not your password.").waitFor();
    await enterPassword(page);
    await page.getByRole("img", { name: QR }).waitFor();
    const uri = new URL(await readQrCode(page, QR));
    expect([uri.protocol, decodeURIComponent(uri.pathname)]).toEqual([
      "otpauth:",
      `/Tradepost:${member.email}`,
    ]);
    const secret = uri.searchParams.get("secret") ?? "";
    await page.getByText("You cannot scan it?").click();
    expect((await page.locator(".second-factor-secret").textContent())?.replaceAll(" ", "")).toBe(secret);
    await page.getByRole("button", { name: "Copy the key" }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(secret);
    expect(await page.getByRole("link", { name: "open it in the app" }).getAttribute("href")).toBe(uri.href);
    await opened.expectAccessible("second-factor-setup");

    const code = page.getByLabel("Code that the app shows");
    expect([await code.getAttribute("inputmode"), await code.getAttribute("autocomplete")]).toEqual([
      ...["numeric", "one-time-code"],
    ]);
    await code.fill("000 000");
    await page.keyboard.press("Enter");
    await page.locator(".field-error").getByText("Is wrong, or was used before.").waitFor();
    expect(await page.evaluate("document.activeElement.name")).toBe("code");
    await setUp(page);

    const codes = await shownCodes(page);
    expect(codes).toHaveLength(10);
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    await dialog(page).getByRole("button", { name: "Copy the recovery codes" }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(codes.join("\n"));
    const downloading = page.waitForEvent("download");
    await dialog(page).getByRole("button", { name: "Download" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("tradepost-recovery-codes.txt");
    expect(await readFile(await download.path(), "utf8")).toBe(`${codes.join("\n")}\n`);
    await page.evaluate("addEventListener('beforeprint', () => { window.printed = true; })");
    await dialog(page).getByRole("button", { name: "Print" }).click();
    expect(await page.evaluate("window.printed")).toBe(true);
    await opened.expectAccessible("recovery-codes");
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".recovery-codes pre").isVisible()).toBe(true);
    for (const hidden of [
      page.locator("h1"),
      page.locator(".dialog-actions"),
      page.getByText("Store them now"),
    ])
      expect(await hidden.isVisible()).toBe(false);
    await page.emulateMedia({ media: "screen" });

    await page.getByRole("button", { name: "I have stored them" }).click();
    await page.getByText("10 recovery codes are left.").waitFor();
    expect(await page.content()).not.toContain(codes[0]);
    expect(await page.content()).not.toContain(secret);
    await opened.picture("second-factor-on");
  });

  test("asks for a code after the password, and goes on to the address that was asked for", async () => {
    const member = await addMember("Tina Twostep", "admin");
    const { app, recoveryCodes } = await protect(member);
    const { page, ...opened } = await dashboard.open({ as: null, at: "/staff" });
    await signIn(page, member);
    await heading(page, "Enter your code").waitFor();
    expect(await page.evaluate("document.activeElement.name")).toBe("code");
    const code = page.getByLabel("Code");
    expect([await code.getAttribute("inputmode"), await code.getAttribute("autocomplete")]).toEqual([
      ...["numeric", "one-time-code"],
    ]);
    await opened.expectAccessible("sign-in-code");
    await code.fill("000000");
    await page.keyboard.press("Enter");
    await page
      .getByRole("alert")
      .getByText(/The code is wrong or was used before/)
      .waitFor();
    // Apps show two groups of digits.
    await code.fill((await app.unused()).replace(/^.../, "$& "));
    await page.getByRole("button", { name: "Sign in" }).click();
    await heading(page, "Staff").waitFor();
    expect(await page.title()).toBe("Staff · Tradepost");
    await page.getByRole("button", { name: "Sign out" }).click();

    await signIn(page, member);
    await page.getByRole("button", { name: "Use a recovery code instead" }).click();
    expect(await page.evaluate("document.activeElement.name")).toBe("recoveryCode");
    await page.getByLabel("Recovery code").fill(String(recoveryCodes[0]).toLowerCase());
    await page.keyboard.press("Enter");
    // Somebody who signs out begins at the overview.
    await heading(page, "Test Shop").waitFor();
  });

  test("asks for a code after a set-up link, and begins again when the time for it is over", async () => {
    const member = await addMember("Lena Late", "viewer");
    const { app } = await protect(member);
    const { owner } = dashboard.tenant;
    const { id } = (await owner.get("/v1/users?limit=1")).body.data[0];
    const at = `/set-up#${(await owner.post(`/v1/users/${id}/setup-link`, {})).body.data.token}`;
    const { page, ...opened } = await dashboard.open({ as: null, at, width: 360 });
    await page.clock.install();
    await page.getByLabel("New password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await heading(page, "Enter your code").waitFor();
    await opened.expectNoSidewaysScroll();
    await page.clock.fastForward("05:01");
    await page.getByRole("alert").getByText("That took too long").waitFor();
    await page.getByRole("button", { name: "Begin again" }).click();
    await heading(page, "Sign in to Tradepost").waitFor();
    await signIn(page, member);
    await page.getByLabel("Code").fill(await app.unused());
    await page.keyboard.press("Enter");
    await heading(page, "Test Shop").waitFor();
  });

  test("is removed with a code, by keyboard on a narrow screen", async () => {
    const member = await addMember("Rita Remover", "viewer");
    const { app } = await protect(member);
    const { page, ...opened } = await dashboard.open({ as: null, at: "/account", width: 360 });
    await signIn(page, member);
    await page.getByLabel("Code").fill(await app.unused());
    await page.keyboard.press("Enter");
    await page.getByText("10 recovery codes are left.").waitFor();
    await opened.expectNoSidewaysScroll();
    await opened.picture("account-second-factor-narrow");
    await tabTo(page, "Remove");
    await page.keyboard.press("Enter");
    await dialog(page).waitFor();
    await opened.expectNoSidewaysScroll();
    await dialog(page).getByLabel("Code").fill("000000");
    await page.keyboard.press("Enter");
    await dialog(page).locator(".field-error").getByText("Is wrong, or was used before.").waitFor();
    await dialog(page)
      .getByLabel("Code")
      .fill(await app.unused());
    await page.keyboard.press("Enter");
    await page.getByText("Your second factor is removed.").first().waitFor();
    await page.getByRole("button", { name: "Set up" }).click();
    await enterPassword(page);
    await page.getByRole("img", { name: QR }).waitFor();
    await opened.expectNoSidewaysScroll();
    await opened.picture("second-factor-setup-narrow");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("img", { name: QR }).waitFor({ state: "detached" });
  });

  test("is required by an owner: who lacks one sets it up and goes on; a lost one is reset", async () => {
    // The owner's other sessions end, so the other tests need another shop.
    const tenant = await dashboard.platform.createTenant();
    const member = await addMember("Mona Must", "editor", tenant);
    const lost = await addMember("Leo Lost", "viewer", tenant);
    await protect(lost);
    const as = { email: tenant.ownerEmail, password: tenant.ownerPassword };
    const owner = await dashboard.open({ as, at: "/staff" });
    const { page } = owner;
    await page
      .getByRole("row", { name: /Leo Lost/ })
      .getByText("On", { exact: true })
      .waitFor();
    await page
      .getByRole("row", { name: /Mona Must/ })
      .getByText("None", { exact: true })
      .waitFor();
    await owner.picture("staff-second-factor");

    await page.getByRole("link", { name: "Leo Lost" }).click();
    await page.getByRole("button", { name: "Reset second factor" }).click();
    await dialog(page).getByText("Make sure that it is this person who asks.").waitFor();
    await dialog(page).getByRole("button", { name: "Reset second factor" }).click();
    await page.getByText("The second factor of “Leo Lost” is reset.").first().waitFor();
    await page.getByRole("button", { name: "Reset second factor" }).waitFor({ state: "detached" });

    const other = await dashboard.open({ as: member, at: "/orders" });
    await heading(other.page, "Orders").waitFor();
    await page.getByRole("link", { name: "All staff" }).click();
    await page.getByRole("button", { name: "Require it of everybody" }).click();
    await dialog(page).getByText("Mona Must").waitFor();
    expect(await dialog(page).getByRole("listitem").filter({ hasText: "(you)" }).count()).toBe(1);
    await owner.picture("require-second-factor");
    await dialog(page).getByRole("button", { name: "Require it" }).click();

    // The owner has no second factor either, and continues on the same screen afterwards.
    await heading(page, "Set up a second factor").waitFor();
    await owner.expectAccessible("required-second-factor");
    await enterPassword(page, tenant.ownerPassword);
    const app = await setUp(page);
    await page.getByRole("button", { name: "I have stored them" }).click();
    await heading(page, "Staff").waitFor();
    await page.getByText("Required: who has none can only set one up.").waitFor();

    await other.page.reload();
    await heading(other.page, "Set up a second factor").waitFor();
    await other.page.setViewportSize({ width: 360, height: 740 });
    await other.expectNoSidewaysScroll();
    await other.picture("required-second-factor-narrow");
    await enterPassword(other.page);
    await setUp(other.page);
    await other.page.getByRole("button", { name: "I have stored them" }).click();
    await heading(other.page, "Orders").waitFor();

    await page.getByRole("button", { name: "Stop requiring it" }).click();
    await dialog(page).getByLabel("Code of your app").fill("000000");
    await page.keyboard.press("Enter");
    await dialog(page).locator(".field-error").getByText("Is wrong, or was used before.").waitFor();
    await dialog(page)
      .getByLabel("Code of your app")
      .fill(await app.unused());
    await page.keyboard.press("Enter");
    await page.getByText("Everybody decides for themselves whether to use one.").waitFor();
  });

  test("an open screen shows the set-up at the next request after it is required, and lets the user sign out", async () => {
    const tenant = await dashboard.platform.createTenant();
    const as = { email: tenant.ownerEmail, password: tenant.ownerPassword };
    const { page } = await dashboard.open({ as });
    await heading(page, "Test Shop").waitFor();
    expect((await tenant.owner.put("/v1/security", { requireSecondFactor: true })).status).toBe(200);
    // The screen may have asked for something itself, and then there is no link any more.
    const orders = page.getByRole("link", { name: "Orders", exact: true });
    await orders.click({ timeout: 5_000 }).catch(() => undefined);
    await heading(page, "Set up a second factor").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await heading(page, "Sign in to Tradepost").waitFor();
  });
});
