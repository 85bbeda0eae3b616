// Signing in with more than a password: at an OIDC provider, which is a site of its own, and with a second factor, which is set up,
// removed, required of everybody, and reset.
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
import { ownerOf, PHONE, type Staff, useDashboard } from "./support/dashboard.ts";
import { alert, dialog, fault, firstOf, gone, heading, inDialog, linkTo } from "./support/places.ts";
import { readQrCode } from "./support/read-qr-code.ts";
import * as shop from "./support/shop.ts";
import * as user from "./support/user.ts";

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

  const signIn = async (page: Page, { email, password }: Staff) => {
    await page.getByLabel("E-mail").fill(email);
    await page.getByRole("textbox", { name: "Password" }).fill(password);
    await user.press(page, "Sign in");
  };
  const signInAtProvider = (page: Page) =>
    page.getByRole("link", { name: "Sign in with Test Directory" }).click();
  const addMember = async (name: string, role: string, tenant = dashboard.tenant): Promise<Staff> =>
    (await shop.addMember({ platform: dashboard.platform, tenant }, name, role)).as;
  const protect = async (member: Staff) => {
    const { url } = dashboard.platform;
    const { token } = (await apiClient(url).post("/v1/auth/login", member)).body.data;
    const own = apiClient(url, bearer(token));
    const made = await own.post("/v1/me/second-factor", { currentPassword: member.password });
    const app = authenticator(made.body.data.secret);
    const { body } = await own.post("/v1/me/second-factor/confirm", { code: await app.unused() });
    return { app, recoveryCodes: body.data.recoveryCodes as string[] };
  };
  const enterPassword = async (page: Page, password = shop.PASSWORD) => {
    await page.getByLabel("Current password").first().fill(password);
    await page.keyboard.press("Enter");
  };
  /** Scans the QR code, and enters the first code. */
  const setUp = async (page: Page): Promise<Authenticator> => {
    await user.see(page, page.getByRole("img", { name: QR }));
    const uri = new URL(await readQrCode(page, QR));
    const app = authenticator(uri.searchParams.get("secret") ?? "");
    await page.getByLabel("Code that the app shows").fill(await app.unused());
    await user.press(page, "Turn on", heading("Your recovery codes"));
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
    await user.see(page, alert("link Test Directory under Your account"));
    await opened.expectAccessible();
    provider.isDown = () => true;
    await signInAtProvider(page);
    await user.see(page, alert("You cannot sign in at Test Directory now"));
    await signIn(page, dashboard.owner);
    await user.see(page, heading("Test Shop"));
    provider.isDown = () => false;
    await user.goTo(page, "/account", linkTo("Link your account"));
    await opened.expectAccessible();
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
    await user.follow(page, "Link your account", "Linked to kim@directory.example");
    await user.follow(page, "Staff");
    await user.confirm(page, "Refuse passwords");
    await user.see(page, "Refused: everybody signs in with Test Directory.");
    await user.press(page, "Sign out");
    await signIn(page, owner);
    await user.see(page, alert("Your shop has switched passwords off."));
    await user.goTo(page, "/account");
    await signInAtProvider(page);
    await user.see(page, heading("Your account"));
    await page.reload();
    await user.confirm(page, "Unlink", "Unlink", inDialog("No other owner could sign in"));
    await user.pressIn(page, "Cancel");
    // A recent sign-in replaces the password.
    await user.press(page, "Set up");
    await user.press(page, "Go on", page.getByRole("img", { name: QR }));
    await user.goTo(page, "/staff");
    await user.confirm(page, "Accept passwords again", "Accept passwords", "Passwords are accepted, too.");
    await user.goTo(page, "/account");
    await user.confirm(page, "Unlink", "Unlink", "Not linked.");
    // Somebody cancels at the provider. The page that led there says so.
    provider.isCancelled = true;
    await context.clearCookies({ domain: "localhost" });
    await user.follow(page, "Link your account", alert("You or Test Directory cancelled the sign-in"));
    const unexpected = faults.filter(
      (fault) => !fault.includes("Failed to load resource") && !fault.includes(provider.settings.OIDC_ISSUER),
    );
    expect(unexpected).toEqual([]);
    await close();
  });

  test("a second factor is set up with a QR code, and its recovery codes are copied, stored and printed", async () => {
    const member = await addMember("Sara Setter", "viewer");
    const { page, ...opened } = await dashboard.open({ as: member, at: "/account" });
    await user.press(page, "Set up");
    expect(await page.evaluate("document.activeElement.name")).toBe("currentPassword");
    await enterPassword(page, "not this one");
    await user.see(page, fault("Is not your password."));
    await enterPassword(page);
    await user.see(page, page.getByRole("img", { name: QR }));
    const uri = new URL(await readQrCode(page, QR));
    expect([uri.protocol, decodeURIComponent(uri.pathname)]).toEqual([
      "otpauth:",
      `/Tradepost:${member.email}`,
    ]);
    const secret = uri.searchParams.get("secret") ?? "";
    await page.getByText("You cannot scan it?").click();
    expect((await page.locator(".second-factor-secret").textContent())?.replaceAll(" ", "")).toBe(secret);
    await user.press(page, "Copy the key");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(secret);
    expect(await page.getByRole("link", { name: "open it in the app" }).getAttribute("href")).toBe(uri.href);
    await opened.expectAccessible();

    await expectFieldForCodes(page, "Code that the app shows");
    await user.submit(page, { "Code that the app shows": "000 000" }, fault("Is wrong, or was used before."));
    expect(await page.evaluate("document.activeElement.name")).toBe("code");
    await setUp(page);

    const codes = ((await dialog(page).locator("pre").textContent()) ?? "").trim().split("\n");
    expect(codes).toHaveLength(10);
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    await user.pressIn(page, "Copy the recovery codes");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(codes.join("\n"));
    expect(await user.download(page, () => user.pressIn(page, "Download"))).toEqual({
      name: "tradepost-recovery-codes.txt",
      text: `${codes.join("\n")}\n`,
    });
    await page.evaluate("addEventListener('beforeprint', () => { window.printed = true; })");
    await user.pressIn(page, "Print");
    expect(await page.evaluate("window.printed")).toBe(true);
    await opened.expectAccessible();
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".recovery-codes pre").isVisible()).toBe(true);
    for (const hidden of [
      page.locator("h1"),
      page.locator(".dialog-actions"),
      page.getByText("Store them now"),
    ])
      expect(await hidden.isVisible()).toBe(false);
    await page.emulateMedia({ media: "screen" });

    await user.press(page, "I have stored them", "10 recovery codes are left.");
    expect(await page.content()).not.toContain(codes[0]);
    expect(await page.content()).not.toContain(secret);
  });

  test("a code is asked for after the password, or a recovery code, and removes the second factor", async () => {
    const member = await addMember("Tina Twostep", "admin");
    const { app, recoveryCodes } = await protect(member);
    const { page, ...opened } = await dashboard.open({ as: null, at: "/account", ...PHONE });
    await signIn(page, member);
    await user.see(page, heading("Enter your code"));
    expect(await page.evaluate("document.activeElement.name")).toBe("code");
    await expectFieldForCodes(page, "Code");
    await opened.expectAccessible();
    await user.submit(page, { Code: "000000" }, alert(/The code is wrong or was used before/));
    // Apps show two groups of digits.
    await page.getByLabel("Code").fill((await app.unused()).replace(/^.../, "$& "));
    await user.press(page, "Sign in", heading("Your account"));
    expect(await page.title()).toBe("Your account · Tradepost");
    await user.press(page, "Menu");
    await user.press(page, "Sign out");

    await signIn(page, member);
    await user.press(page, "Use a recovery code instead");
    expect(await page.evaluate("document.activeElement.name")).toBe("recoveryCode");
    await user.submit(page, { "Recovery code": String(recoveryCodes[0]).toLowerCase() });
    // Somebody who signs out begins at the overview.
    await user.see(page, heading("Test Shop"));
    await user.goTo(page, "/account", "9 recovery codes are left.");
    await user.enter(page, "Remove", dialog(page));
    await user.submit(dialog(page), { Code: "000000" });
    await user.see(page, dialog(page).locator(".field-error").getByText("Is wrong, or was used before."));
    await user.submit(dialog(page), { Code: await app.unused() }, firstOf("Your second factor is removed."));
    await user.press(page, "Set up");
    await enterPassword(page);
    await user.see(page, page.getByRole("img", { name: QR }));
    await user.press(page, "Cancel", gone(page.getByRole("img", { name: QR })));
  });

  test("a code is asked for after a set-up link, too, and begins again when the time for it is over", async () => {
    const member = await addMember("Lena Late", "viewer");
    const { app } = await protect(member);
    const { owner } = dashboard.tenant;
    const { id } = (await owner.get("/v1/users?limit=1")).body.data[0];
    const at = `/set-up#${(await owner.post(`/v1/users/${id}/setup-link`, {})).body.data.token}`;
    const { page } = await dashboard.open({ as: null, at, ...PHONE });
    await page.clock.install();
    await user.submit(page, { "New password": shop.PASSWORD }, heading("Enter your code"));
    await page.clock.fastForward("05:01");
    await user.see(page, alert("That took too long"));
    await user.press(page, "Begin again", heading("Sign in to Tradepost"));
    await signIn(page, member);
    await user.submit(page, { Code: await app.unused() }, heading("Test Shop"));
  });

  test("an owner requires a second factor of all: who lacks one can only set it up or sign out; a lost one is reset", async () => {
    const tenant = await dashboard.platform.createTenant();
    const member = await addMember("Mona Must", "editor", tenant);
    const lost = await addMember("Leo Lost", "viewer", tenant);
    await protect(lost);
    const { page, ...owner } = await dashboard.open({ as: ownerOf(tenant), at: "/staff" });
    const rowOf = (name: RegExp) => page.getByRole("row", { name });
    await user.see(page, rowOf(/Leo Lost/).getByText("On", { exact: true }));
    await user.see(page, rowOf(/Mona Must/).getByText("None", { exact: true }));

    await user.follow(page, "Leo Lost");
    await user.press(page, "Reset second factor", inDialog("Make sure that it is this person who asks."));
    await user.pressIn(page, "Reset second factor", firstOf("The second factor of “Leo Lost” is reset."));
    await user.see(page, gone(page.getByRole("button", { name: "Reset second factor" })));

    const { page: other } = await dashboard.open({ as: member, at: "/orders" }, heading("Orders"));
    await user.follow(page, "All staff");
    await user.press(page, "Require it of everybody", inDialog("Mona Must"));
    expect(await dialog(page).getByRole("listitem").filter({ hasText: "(you)" }).count()).toBe(1);
    await user.pressIn(page, "Require it");

    // The owner has no second factor either, and continues on the same screen afterwards.
    await user.see(page, heading("Set up a second factor"));
    await owner.expectAccessible();
    await enterPassword(page, tenant.ownerPassword);
    const app = await setUp(page);
    await user.press(
      page,
      "I have stored them",
      heading("Staff"),
      "Required: who has none can only set one up.",
    );

    // The next request of an open screen shows the set-up. If the screen has already sent one by itself, the link is gone.
    await other
      .getByRole("link", { name: "Customers" })
      .click({ timeout: 5_000 })
      .catch(() => undefined);
    await user.see(other, heading("Set up a second factor"));
    await user.press(other, "Sign out");
    await signIn(other, member);
    await other.setViewportSize(PHONE);
    await user.see(other, heading("Set up a second factor"));
    await enterPassword(other);
    await setUp(other);
    await user.press(other, "I have stored them", heading("Test Shop"));

    await user.press(page, "Stop requiring it");
    await user.submit(dialog(page), { "Code of your app": "000000" });
    await user.see(page, dialog(page).locator(".field-error").getByText("Is wrong, or was used before."));
    await user.submit(dialog(page), { "Code of your app": await app.unused() });
    await user.see(page, "Everybody decides for themselves whether to use one.");
  });
});
