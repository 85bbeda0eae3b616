// Signing in to the dashboard at an OIDC provider, which is a site of its own, as it is for staff.
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { startOidcProvider, testCertificate } from "@tradepost/testing";
import type { Page } from "playwright-core";
import { describeWithBrowser, openWatchedPage, sharedBrowser } from "../support/browser.ts";
import { useDashboard } from "./support/dashboard.ts";

const redirectUris = ["https://not.known.yet"];
const provider = await startOidcProvider(await testCertificate(), { redirectUris });
afterAll(() => provider.stop());

describeWithBrowser("signing in at a provider in a browser (if there is one)", () => {
  const dashboard = useDashboard(provider.settings);
  beforeAll(async () => {
    redirectUris.push(`${dashboard.platform.url}/v1/auth/oidc/callback`);
    await provider.rotateKeys();
  });

  beforeEach(() => {
    provider.isCancelled = false;
    provider.isDown = () => false;
  });

  const open = async (at = "/") => {
    const { url } = dashboard.platform;
    const watched = await openWatchedPage(await sharedBrowser(), url, { ignoreHTTPSErrors: true });
    await watched.page.goto(`${url}/dashboard${at}`);
    return watched;
  };
  const alert = (page: Page) => page.getByRole("alert");
  const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
  const signInByPassword = async (page: Page) => {
    await page.getByLabel("E-mail").fill(dashboard.owner.email);
    await page.getByRole("textbox", { name: "Password" }).fill(dashboard.owner.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  };
  const signInAtProvider = (page: Page) =>
    page.getByRole("link", { name: "Sign in with Test Directory" }).click();

  test("says why it failed, and is offered where it may be linked", async () => {
    const { page, expectAccessible } = await dashboard.open({ as: null, at: "/sign-in?failure=not_invited" });
    await alert(page).getByText("link Test Directory under Your account").waitFor();
    await page.getByRole("link", { name: "Sign in with Test Directory" }).waitFor();
    await expectAccessible("sign-in-provider");
    const account = await dashboard.open({ at: "/account" });
    await account.page.getByRole("link", { name: "Link your account" }).waitFor();
    await account.expectAccessible("account-provider");
    await account.page.goto(`${dashboard.platform.url}/dashboard/staff`);
    await account.page.getByRole("button", { name: "Refuse passwords" }).waitFor();
    await account.picture("staff-provider");
  });

  test("goes on by password while the provider is down", async () => {
    const { page, close } = await open();
    provider.isDown = () => true;
    await signInAtProvider(page);
    await alert(page).getByText("You cannot sign in at Test Directory now").waitFor();
    await signInByPassword(page);
    await heading(page, "Test Shop").waitFor();
    await close();
  });

  test("links the own account, signs in with it, and refuses passwords", async () => {
    const { page, context, faults, close } = await open("/account");
    await signInByPassword(page);
    provider.account = { sub: "owner", email: "kim@directory.example", email_verified: true };
    await page.getByRole("link", { name: "Link your account" }).click();
    await page.getByText("Linked to kim@directory.example").waitFor();
    await page.getByRole("link", { name: "Staff" }).click();
    await page.getByRole("button", { name: "Refuse passwords" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Refuse passwords" }).click();
    await page.getByText("Refused: everybody signs in with Test Directory.").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await signInByPassword(page);
    await alert(page).getByText("Your shop has switched passwords off.").waitFor();
    await page.goto(`${dashboard.platform.url}/dashboard/account`);
    await signInAtProvider(page);
    await heading(page, "Your account").waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await heading(page, "Test Shop").waitFor();
    await page.reload();
    await heading(page, "Test Shop").waitFor();
    await page.goto(`${dashboard.platform.url}/dashboard/account`);
    await page.getByRole("button", { name: "Unlink" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Unlink" }).click();
    await page.getByRole("dialog").getByText("No other owner could sign in").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    // The fresh sign-in stands for the password.
    await page.getByRole("button", { name: "Set up" }).click();
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("img", { name: /QR code/ }).waitFor();
    await page.goto(`${dashboard.platform.url}/dashboard/staff`);
    await page.getByRole("button", { name: "Accept passwords again" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Accept passwords" }).click();
    await page.getByText("Passwords are accepted, too.").waitFor();
    await page.goto(`${dashboard.platform.url}/dashboard/account`);
    await page.getByRole("button", { name: "Unlink" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Unlink" }).click();
    await page.getByText("Not linked.").waitFor();
    // Somebody cancels at the provider, and is told so on the page from which the way there began.
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
});
