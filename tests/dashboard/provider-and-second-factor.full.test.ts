// Signing in with more than a password: at an OIDC provider, which is a site of its own, and with a second factor, which is set up,
// removed, required of everybody, and reset.
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import {
  type Authenticator,
  apiClient,
  authenticator,
  bearer,
  startOidcProvider,
  testCertificate,
} from "@tradepost/testing";
import type { Page } from "playwright-core";
import { describeWithBrowser, openWatchedPage, sharedBrowser } from "../support/browser.ts";
import { enter, ownerOf, PHONE, press, pressIn, type Staff, useDashboard } from "./support/dashboard.ts";
import { readQrCode } from "./support/read-qr-code.ts";

const PASSWORD = "three blue harbours";
const QR = "QR code for your authenticator app";

const redirectUris = ["https://not.known.yet"];
const provider = await startOidcProvider(await testCertificate(), { redirectUris });
afterAll(() => provider.stop());

describeWithBrowser("signing in with more than a password in a browser (if there is one)", () => {
  const dashboard = useDashboard(provider.settings);
  beforeAll(async () => {
    redirectUris.push(`${dashboard.platform.url}/v1/auth/oidc/callback`);
    await provider.rotateKeys();
  });

  const alert = (page: Page) => page.getByRole("alert");
  const dialog = (page: Page) => page.getByRole("dialog");
  const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
  const signIn = async (page: Page, { email, password }: Staff) => {
    await page.getByLabel("E-mail").fill(email);
    await page.getByRole("textbox", { name: "Password" }).fill(password);
    await press(page, "Sign in");
  };
  const signInAtProvider = (page: Page) =>
    page.getByRole("link", { name: "Sign in with Test Directory" }).click();
  const addMember = async (name: string, role: string, { owner } = dashboard.tenant): Promise<Staff> => {
    const email = `${name.toLowerCase().replaceAll(" ", ".")}@factors.example`;
    const { body } = await owner.post("/v1/users", { name, email, role });
    const { token } = body.data.setup;
    await apiClient(dashboard.platform.url).post("/v1/auth/setup", { token, password: PASSWORD });
    return { email, password: PASSWORD };
  };
  /** Sets one up over HTTP. */
  const protect = async (member: Staff) => {
    const { url } = dashboard.platform;
    const { token } = (await apiClient(url).post("/v1/auth/login", member)).body.data;
    const user = apiClient(url, bearer(token));
    const made = await user.post("/v1/me/second-factor", { currentPassword: member.password });
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
    await press(page, "Turn on");
    await heading(page, "Your recovery codes").waitFor();
    return app;
  };
  const expectFieldForCodes = async (page: Page, label: string) => {
    const field = page.getByLabel(label);
    expect([await field.getAttribute("inputmode"), await field.getAttribute("autocomplete")]).toEqual([
      ...["numeric", "one-time-code"],
    ]);
  };

  test("a failure at the provider is explained, and the password goes on while it is down", async () => {
    const at = "/sign-in?failure=not_invited";
    const { page, ...opened } = await dashboard.open({ as: null, at });
    await alert(page).getByText("link Test Directory under Your account").waitFor();
    await opened.expectAccessible("sign-in-provider");
    provider.isDown = () => true;
    await signInAtProvider(page);
    await alert(page).getByText("You cannot sign in at Test Directory now").waitFor();
    await signIn(page, dashboard.owner);
    await heading(page, "Test Shop").waitFor();
    provider.isDown = () => false;
    await page.goto(`${dashboard.platform.url}/dashboard/account`);
    await page.getByRole("link", { name: "Link your account" }).waitFor();
    await opened.expectAccessible("account-provider");
  });

  test("an owner links the own account, signs in with it, and refuses passwords", async () => {
    // The owner's other sessions end, so the other tests need another shop.
    const owner = ownerOf(await dashboard.platform.createTenant());
    const { url } = dashboard.platform;
    const { page, context, faults, close } = await openWatchedPage(await sharedBrowser(), url, {
      ignoreHTTPSErrors: true,
    });
    await page.goto(`${url}/dashboard/account`);
    await signIn(page, owner);
    provider.account = { sub: "owner", email: "kim@directory.example", email_verified: true };
    await page.getByRole("link", { name: "Link your account" }).click();
    await page.getByText("Linked to kim@directory.example").waitFor();
    await page.getByRole("link", { name: "Staff" }).click();
    await press(page, "Refuse passwords");
    await pressIn(page, "Refuse passwords");
    await page.getByText("Refused: everybody signs in with Test Directory.").waitFor();
    await press(page, "Sign out");
    await signIn(page, owner);
    await alert(page).getByText("Your shop has switched passwords off.").waitFor();
    await page.goto(`${url}/dashboard/account`);
    await signInAtProvider(page);
    await heading(page, "Your account").waitFor();
    await page.reload();
    await press(page, "Unlink");
    await pressIn(page, "Unlink");
    await dialog(page).getByText("No other owner could sign in").waitFor();
    await pressIn(page, "Cancel");
    // The fresh sign-in stands for the password.
    await press(page, "Set up");
    await press(page, "Go on");
    await page.getByRole("img", { name: QR }).waitFor();
    await page.goto(`${url}/dashboard/staff`);
    await press(page, "Accept passwords again");
    await pressIn(page, "Accept passwords");
    await page.getByText("Passwords are accepted, too.").waitFor();
    await page.goto(`${url}/dashboard/account`);
    await press(page, "Unlink");
    await pressIn(page, "Unlink");
    await page.getByText("Not linked.").waitFor();
    // Somebody cancels at the provider. The page that led there says so.
    provider.isCancelled = true;
    await context.clearCookies({ domain: "localhost" });
    await page.getByRole("link", { name: "Link your account" }).click();
    await alert(page).getByText("You or Test Directory cancelled the sign-in").waitFor();
    const unexpected = faults.filter(
      (fault) => !fault.includes("Failed to load resource") && !fault.includes(provider.settings.OIDC_ISSUER),
    );
    expect(unexpected).toEqual([]);
    await close();
  });

  test("a second factor is set up with a QR code, and its recovery codes are copied, stored and printed", async () => {
    const member = await addMember("Sara Setter", "viewer");
    const { page, ...opened } = await dashboard.open({ as: member, at: "/account" });
    await press(page, "Set up");
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
    await press(page, "Copy the key");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(secret);
    expect(await page.getByRole("link", { name: "open it in the app" }).getAttribute("href")).toBe(uri.href);
    await opened.expectAccessible("second-factor-setup");

    await expectFieldForCodes(page, "Code that the app shows");
    await page.getByLabel("Code that the app shows").fill("000 000");
    await page.keyboard.press("Enter");
    await page.locator(".field-error").getByText("Is wrong, or was used before.").waitFor();
    expect(await page.evaluate("document.activeElement.name")).toBe("code");
    await setUp(page);

    const codes = ((await dialog(page).locator("pre").textContent()) ?? "").trim().split("\n");
    expect(codes).toHaveLength(10);
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    await pressIn(page, "Copy the recovery codes");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(codes.join("\n"));
    const downloading = page.waitForEvent("download");
    await pressIn(page, "Download");
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("tradepost-recovery-codes.txt");
    expect(await readFile(await download.path(), "utf8")).toBe(`${codes.join("\n")}\n`);
    await page.evaluate("addEventListener('beforeprint', () => { window.printed = true; })");
    await pressIn(page, "Print");
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

    await press(page, "I have stored them");
    await page.getByText("10 recovery codes are left.").waitFor();
    expect(await page.content()).not.toContain(codes[0]);
    expect(await page.content()).not.toContain(secret);
    await opened.picture("second-factor-on");
  });

  test("a code is asked for after the password, or a recovery code, and removes the second factor", async () => {
    const member = await addMember("Tina Twostep", "admin");
    const { app, recoveryCodes } = await protect(member);
    const { page, ...opened } = await dashboard.open({ as: null, at: "/account", ...PHONE });
    await signIn(page, member);
    await heading(page, "Enter your code").waitFor();
    expect(await page.evaluate("document.activeElement.name")).toBe("code");
    await expectFieldForCodes(page, "Code");
    await opened.expectAccessible("sign-in-code");
    await opened.expectNoSidewaysScroll();
    await page.getByLabel("Code").fill("000000");
    await page.keyboard.press("Enter");
    await alert(page)
      .getByText(/The code is wrong or was used before/)
      .waitFor();
    // Apps show two groups of digits.
    await page.getByLabel("Code").fill((await app.unused()).replace(/^.../, "$& "));
    await press(page, "Sign in");
    await heading(page, "Your account").waitFor();
    expect(await page.title()).toBe("Your account · Tradepost");
    await press(page, "Menu");
    await press(page, "Sign out");

    await signIn(page, member);
    await press(page, "Use a recovery code instead");
    expect(await page.evaluate("document.activeElement.name")).toBe("recoveryCode");
    await page.getByLabel("Recovery code").fill(String(recoveryCodes[0]).toLowerCase());
    await page.keyboard.press("Enter");
    // Somebody who signs out begins at the overview.
    await heading(page, "Test Shop").waitFor();
    await page.goto(`${dashboard.platform.url}/dashboard/account`);
    await page.getByText("9 recovery codes are left.").waitFor();
    await opened.expectNoSidewaysScroll("account-second-factor-narrow");
    await enter(page, "Remove");
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
    await press(page, "Set up");
    await enterPassword(page);
    await page.getByRole("img", { name: QR }).waitFor();
    await opened.expectNoSidewaysScroll("second-factor-setup-narrow");
    await press(page, "Cancel");
    await page.getByRole("img", { name: QR }).waitFor({ state: "detached" });
  });

  test("a code is asked for after a set-up link, too, and begins again when the time for it is over", async () => {
    const member = await addMember("Lena Late", "viewer");
    const { app } = await protect(member);
    const { owner } = dashboard.tenant;
    const { id } = (await owner.get("/v1/users?limit=1")).body.data[0];
    const at = `/set-up#${(await owner.post(`/v1/users/${id}/setup-link`, {})).body.data.token}`;
    const { page, ...opened } = await dashboard.open({ as: null, at, ...PHONE });
    await page.clock.install();
    await page.getByLabel("New password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await heading(page, "Enter your code").waitFor();
    await opened.expectNoSidewaysScroll();
    await page.clock.fastForward("05:01");
    await alert(page).getByText("That took too long").waitFor();
    await press(page, "Begin again");
    await heading(page, "Sign in to Tradepost").waitFor();
    await signIn(page, member);
    await page.getByLabel("Code").fill(await app.unused());
    await page.keyboard.press("Enter");
    await heading(page, "Test Shop").waitFor();
  });

  test("an owner requires a second factor of all: who lacks one can only set it up or sign out; a lost one is reset", async () => {
    const tenant = await dashboard.platform.createTenant();
    const member = await addMember("Mona Must", "editor", tenant);
    const lost = await addMember("Leo Lost", "viewer", tenant);
    await protect(lost);
    const { page, ...owner } = await dashboard.open({ as: ownerOf(tenant), at: "/staff" });
    const rowOf = (name: RegExp) => page.getByRole("row", { name });
    await rowOf(/Leo Lost/)
      .getByText("On", { exact: true })
      .waitFor();
    await rowOf(/Mona Must/)
      .getByText("None", { exact: true })
      .waitFor();
    await owner.picture("staff-second-factor");

    await page.getByRole("link", { name: "Leo Lost" }).click();
    await press(page, "Reset second factor");
    await dialog(page).getByText("Make sure that it is this person who asks.").waitFor();
    await pressIn(page, "Reset second factor");
    await page.getByText("The second factor of “Leo Lost” is reset.").first().waitFor();
    await page.getByRole("button", { name: "Reset second factor" }).waitFor({ state: "detached" });

    const { page: other, ...others } = await dashboard.open({ as: member, at: "/orders" });
    await heading(other, "Orders").waitFor();
    await page.getByRole("link", { name: "All staff" }).click();
    await press(page, "Require it of everybody");
    await dialog(page).getByText("Mona Must").waitFor();
    expect(await dialog(page).getByRole("listitem").filter({ hasText: "(you)" }).count()).toBe(1);
    await owner.picture("require-second-factor");
    await pressIn(page, "Require it");

    // The owner has no second factor either, and continues on the same screen afterwards.
    await heading(page, "Set up a second factor").waitFor();
    await owner.expectAccessible("required-second-factor");
    await enterPassword(page, tenant.ownerPassword);
    const app = await setUp(page);
    await press(page, "I have stored them");
    await heading(page, "Staff").waitFor();
    await page.getByText("Required: who has none can only set one up.").waitFor();

    // The next request of an open screen shows the set-up. If the screen has already sent one by itself, the link is gone.
    await other
      .getByRole("link", { name: "Customers" })
      .click({ timeout: 5_000 })
      .catch(() => undefined);
    await heading(other, "Set up a second factor").waitFor();
    await press(other, "Sign out");
    await signIn(other, member);
    await heading(other, "Set up a second factor").waitFor();
    await other.setViewportSize(PHONE);
    await others.expectNoSidewaysScroll("required-second-factor-narrow");
    await enterPassword(other);
    await setUp(other);
    await press(other, "I have stored them");
    await heading(other, "Test Shop").waitFor();

    await press(page, "Stop requiring it");
    await dialog(page).getByLabel("Code of your app").fill("000000");
    await page.keyboard.press("Enter");
    await dialog(page).locator(".field-error").getByText("Is wrong, or was used before.").waitFor();
    await dialog(page)
      .getByLabel("Code of your app")
      .fill(await app.unused());
    await page.keyboard.press("Enter");
    await page.getByText("Everybody decides for themselves whether to use one.").waitFor();
  });
});
