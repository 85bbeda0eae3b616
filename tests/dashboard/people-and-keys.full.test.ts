// Who has access to a shop, in the dashboard: staff, set-up links, a user's own account, and the keys of programs.
import { expect, test } from "@jest/globals";
import { apiClient, bearer } from "@tradepost/testing";
import type { Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import { enter, ownerOf, PHONE, press, pressIn, tabTo, useDashboard } from "./support/dashboard.ts";

const PASSWORD = "three blue harbours";
const KEYS = "/ai-integrations";

describeWithBrowser("who has access to a shop, in a browser (if there is one)", () => {
  const dashboard = useDashboard();

  const dialog = (page: Page) => page.getByRole("dialog");
  const addSignedUp = async (name: string) => {
    const email = `${name.replace(/\W/g, "").slice(0, 20).toLowerCase()}@people.example`;
    const { body } = await dashboard.tenant.owner.post("/v1/users", { name, email, role: "viewer" });
    const { token } = body.data.setup;
    await apiClient(dashboard.platform.url).post("/v1/auth/setup", { token, password: PASSWORD });
    return { id: body.data.id as string, as: { email, password: PASSWORD } };
  };
  const row = (page: Page, label: string) => page.getByRole("row", { name: label });
  const keyIn = async (page: Page) => (await dialog(page).locator("pre").first().textContent()) ?? "";
  const whoIs = (key: string) => apiClient(dashboard.platform.url, bearer(key)).get("/v1/me");

  test("adds a person, whose link leads to a password and into the shop", async () => {
    const { page, ...opened } = await dashboard.open({ at: "/staff" });
    await press(page, "Add a person");
    expect(new URL(page.url()).search).toBe("?add=true");
    expect(await page.getByRole("radio").count()).toBe(4);
    expect(await page.locator("input[type=password]").count()).toBe(0);
    // Each field says what is wrong with it, and the first one has the focus.
    await page.getByLabel("E-mail").fill("not an address");
    await page.getByLabel("Editor").check();
    await pressIn(page, "Add person");
    await page.getByText("Fill this in.").waitFor();
    await page.getByText("This is not an e-mail address.").waitFor();
    expect(await page.evaluate("document.activeElement.name")).toBe("name");
    await page.getByLabel("Name").fill("Grace Hopper");
    await page.getByLabel("E-mail").fill(dashboard.owner.email);
    await page.getByText("This is not an e-mail address.").waitFor({ state: "detached" });
    await pressIn(page, "Add person");
    await dialog(page).locator(".field-error").waitFor();
    expect(await page.evaluate("document.activeElement.name")).toBe("email");
    await opened.expectAccessible("add-person");
    await page.getByLabel("E-mail").fill("grace@people.example");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "I have sent it" }).waitFor();
    const link = (await dialog(page).locator("pre").textContent()) ?? "";
    const token = link.split("#")[1] ?? "";
    expect(link).toBe(`${dashboard.platform.url}/dashboard/set-up#${token}`);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    await pressIn(page, "Copy the setup link");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(link);
    await opened.picture("setup-link");
    await press(page, "I have sent it");
    expect(await page.content()).not.toContain(token);
    const row = page.getByRole("row", { name: /Grace Hopper/ });
    await row.getByText("Editor").waitFor();
    await row.getByText("Invited", { exact: true }).waitFor();
    await row.getByText(/^The link expires (tomorrow|in 24 hours)$/).waitFor();
    await opened.picture("staff");

    // Another role ends the link.
    await page.getByRole("link", { name: "Grace Hopper" }).click();
    await page.getByText(/^The link expires/).waitFor();
    const graceId = new URL(page.url()).pathname.split("/").at(-1);
    await dashboard.tenant.owner.patch(`/v1/users/${graceId}`, { role: "viewer" });
    await page.reload();
    await page.getByText("The link no longer works").waitFor();
    await press(page, "Invite again");
    await dialog(page).getByText("It works for 24 hours").waitFor();
    await pressIn(page, "Make link");
    const again = ((await dialog(page).locator("pre").textContent()) ?? "").split("#")[1] ?? "";
    expect(again).not.toBe(token);
    await pressIn(page, "I have sent it");
    await page.getByText(/^The link expires/).waitFor();

    const grace = await dashboard.open({ as: null, at: `/set-up#${again}`, ...PHONE });
    const sent: string[] = [];
    grace.page.on("request", (request) => sent.push(request.url()));
    await grace.page.getByLabel("New password").waitFor();
    await grace.page.waitForURL(/\/set-up$/);
    await grace.expectAccessible("set-up");
    await grace.expectNoSidewaysScroll();
    await grace.page.getByRole("button", { name: "Show the password" }).click();
    await grace.page.getByLabel("New password").fill("password1234");
    await grace.page.keyboard.press("Enter");
    await grace.page.locator(".field-error").getByText("Is too easy to guess").waitFor();
    expect(await grace.page.evaluate("document.activeElement.name")).toBe("password");
    await grace.page.getByLabel("New password").fill(PASSWORD);
    await grace.page.keyboard.press("Enter");
    await grace.page.getByRole("heading", { name: "Test Shop" }).waitFor();
    // The link is used up, and the page keeps no copy of the token.
    await grace.page.goto(`${dashboard.platform.url}/dashboard/set-up#${again}`);
    await grace.page.getByText("You are signed in as Grace Hopper").waitFor();
    await grace.picture("set-up-signed-in");
    await grace.page.getByRole("button", { name: "Sign out and go on" }).click();
    await grace.page.getByLabel("New password").fill(PASSWORD);
    await grace.page.keyboard.press("Enter");
    await grace.page.getByRole("alert").getByText("This link no longer works").waitFor();
    await grace.page.reload();
    await grace.page.getByText("The link is incomplete").waitFor();
    const kept = await grace.page.evaluate("JSON.stringify([sessionStorage, localStorage, history.state])");
    expect(kept).not.toContain(again);
    expect(sent.filter((url) => url.includes(again))).toEqual([]);

    await page.reload();
    await page.getByText("Active", { exact: true }).waitFor();
    expect(await page.getByText(/^The link/).count()).toBe(0);
    const me = (await dashboard.tenant.owner.get("/v1/me")).body.data.actor.id;
    await page.goto(`${dashboard.platform.url}/dashboard/staff/${me}`);
    await press(page, "Edit");
    await page.getByLabel("Admin").check();
    await pressIn(page, "Save");
    await page.getByRole("alert").getByText("This is the last active owner").waitFor();
  });

  test("changes, signs out and removes a person, with the keyboard only at 360 px", async () => {
    const name = `${"<b>Ünbreakable</b>".repeat(9)} 🧑‍🚀`;
    const person = await addSignedUp(name);
    await apiClient(dashboard.platform.url).post("/v1/auth/login", person.as, {
      "user-agent": "x".repeat(300),
    });
    const { page, ...opened } = await dashboard.open({ at: "/staff", ...PHONE });
    await page.getByRole("table").waitFor();
    await opened.expectNoSidewaysScroll("staff-narrow");
    await enter(page, name);
    await page.getByRole("heading", { name }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/dashboard/staff/${person.id}`);
    await page.getByRole("heading", { name: "Sessions" }).waitFor();
    await page.getByRole("row", { name: /^x{60}…/ }).waitFor();
    await opened.expectNoSidewaysScroll("person-narrow");
    await enter(page, "Edit");
    await tabTo(page, "Name");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("Ada Lovelace");
    await tabTo(page, /^Viewer/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Ada Lovelace", exact: true }).waitFor();
    await page.getByText("Also works on orders").waitFor();
    await enter(page, "End all sessions");
    await enter(page, "End all sessions");
    await page.getByText("Not signed in anywhere.").waitFor();
    await enter(page, "New setup link");
    await enter(page, "Make link");
    await dialog(page).locator("pre").getByText("/dashboard/set-up#").waitFor();
    await opened.expectNoSidewaysScroll();
    await enter(page, "I have sent it");
    await enter(page, "Remove");
    await enter(page, "Remove person");
    await page.getByRole("heading", { name: "Staff" }).waitFor();
    await page.getByText("“Ada Lovelace” is removed.").first().waitFor();
    await page.getByRole("link", { name: "Ada Lovelace" }).waitFor({ state: "detached" });
    await page.goto(`${dashboard.platform.url}/dashboard/staff/${person.id}`);
    await page.getByRole("heading", { name: "This person is not on the staff" }).waitFor();
  });

  test("shows the own account: sessions, and a new password", async () => {
    const { as } = await addSignedUp("Vera Viewer");
    const api = apiClient(dashboard.platform.url);
    await Promise.all([api.post("/v1/auth/login", as), api.post("/v1/auth/login", as)]);
    const { page, ...opened } = await dashboard.open({ as, at: "/" });
    await page.getByRole("link", { name: /Vera Viewer/ }).click();
    await page.getByRole("row", { name: /This session/ }).waitFor();
    expect(await page.getByRole("row").count()).toBe(4);
    await opened.picture("account");
    await page.getByRole("button", { name: "End node" }).first().click();
    await page.getByText("The session is ended.").first().waitFor();
    await press(page, "End all other sessions");
    await page.getByText("1 other session has ended.").first().waitFor();
    await page.getByLabel("Current password").fill("not the password");
    await page.getByLabel("New password").fill("four green harbours");
    await page.keyboard.press("Enter");
    await page.locator(".field-error").getByText("Is not your password.").waitFor();
    expect(await page.evaluate("document.activeElement.name")).toBe("currentPassword");
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByText("Your password is changed. You had no other sessions.").first().waitFor();
    expect(await page.getByLabel("Current password").inputValue()).toBe("");
    await page.setViewportSize(PHONE);
    await opened.expectNoSidewaysScroll("account-narrow");
    await press(page, "End this session");
    await page.getByRole("heading", { name: "Sign in to Tradepost" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Sign in to Tradepost" }).waitFor();
  });

  test("makes a key, proves it, changes it, rotates it and revokes it", async () => {
    const tenant = await dashboard.platform.createTenant();
    const { page, ...opened } = await dashboard.open({ as: ownerOf(tenant), at: KEYS });
    await press(page, "Create key");
    expect(new URL(page.url()).search).toBe("?create=true");
    await page.goBack();
    await dialog(page).waitFor({ state: "detached" });
    await page.goForward();
    // Each fault is at its field.
    await page.getByLabel("Label").fill("  ");
    await page.getByLabel("Expires").selectOption("On a date…");
    await page.getByLabel("Date").fill("2020-01-31");
    await press(page, "Read only");
    await pressIn(page, "Create key");
    await dialog(page).getByRole("alert").waitFor();
    await opened.expectAccessible("create-key-faults");
    for (const label of ["Label", "Date"])
      expect(await dialog(page).getByLabel(label).getAttribute("aria-invalid")).toBe("true");
    expect(await dialog(page).getByText("Must be in the future.").count()).toBe(1);
    expect(await page.evaluate("document.activeElement.name")).toBe("label");
    await page.keyboard.press("Escape");
    await press(page, "Discard my changes");
    await dialog(page).waitFor({ state: "detached" });

    await press(page, "Create key");
    await page.getByLabel("Label").fill("Shop assistant");
    await page.getByLabel("Expires").selectOption("In 90 days");
    // A key that may do nothing is of no use to anybody.
    await pressIn(page, "Create key");
    await dialog(page).locator(".field-error").getByText("Choose at least one").waitFor();
    expect(await page.evaluate("document.activeElement.name")).toBe("scopes");
    await pressIn(page, "Everything");
    expect(await dialog(page).getByRole("checkbox", { checked: true }).count()).toBe(5);
    await pressIn(page, "Orders");
    expect(await dialog(page).getByRole("button", { pressed: true }).textContent()).toBe("Orders");
    await opened.picture("create-key");
    await pressIn(page, "Create key");
    await page.getByRole("button", { name: "I have stored it" }).waitFor();

    const key = await keyIn(page);
    expect(key).toMatch(/^sk_live_/);
    expect((await whoIs(key)).body.data.actor).toMatchObject({
      name: "Shop assistant",
      scopes: ["read:crm", "write:crm"],
    });
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    expect(await keyIn(page)).toBe(key);
    await pressIn(page, "Copy the key");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(key);
    const { url } = dashboard.platform;
    for (const [title, text] of [
      ["For a program", `TRADEPOST_URL=${url}\nTRADEPOST_API_KEY=${key}`],
      ["Prove that it works", `curl -sS ${url}/v1/me -H 'Authorization: Bearer ${key}'`],
    ] as const) {
      await dialog(page).getByText(title).click();
      expect(await dialog(page).locator("details[open] pre").textContent()).toBe(text);
    }
    await dialog(page).getByText("For an assistant").click();
    expect(JSON.parse((await dialog(page).locator("details[open] pre").textContent()) ?? "")).toEqual({
      mcpServers: { tradepost: { url: `${url}/mcp`, headers: { Authorization: `Bearer ${key}` } } },
    });
    await opened.picture("new-key");
    await press(page, "I have stored it");
    expect(await page.content()).not.toContain(key);
    expect(await row(page, "Shop assistant").textContent()).toMatch(/Active.*in 90 days/);

    // The expiry is brought forward, never back.
    await press(page, "Edit Shop assistant");
    await page.getByLabel("Label").fill("Till");
    await page.getByLabel("Expires").selectOption("On a date…");
    await page.getByLabel("Date").fill("2099-12-31");
    await pressIn(page, "Save");
    await dialog(page).getByText("Must not be later than the key's present expiry.").waitFor();
    expect(await page.evaluate("document.activeElement.name")).toBe("date");
    await opened.picture("change-key");
    await page.getByLabel("Expires").selectOption("In 30 days");
    await pressIn(page, "Save");
    await row(page, "Till").getByText("in 30 days").waitFor();

    await press(page, "Rotate Till");
    await pressIn(page, "Rotate key");
    await page.getByRole("button", { name: "I have stored it" }).waitFor();
    const successor = await keyIn(page);
    expect([(await whoIs(key)).status, (await whoIs(successor)).status]).toEqual([200, 200]);
    await press(page, "I have stored it");
    await row(page, "Till").nth(1).getByText("Expires soon").waitFor();

    await page.getByRole("button", { name: "Revoke Till" }).first().click();
    await press(page, "Revoke key");
    await page.getByText("The key “Till” is revoked.").first().waitFor();
    expect((await whoIs(successor)).status).toBe(401);
    await page.getByLabel(/Show revoked and expired keys/).check();
    await row(page, "Till").first().getByText("Revoked").waitFor();
    expect(new URL(page.url()).search).toBe("?all=true");
    await opened.picture("keys");
    // It is revoked elsewhere while a dialog about it is open.
    const { body } = await tenant.owner.get("/v1/api-keys");
    const other = body.data.find(({ label }: { label: string }) => label === "Test key");
    await press(page, "Rotate Test key");
    await tenant.owner.delete(`/v1/api-keys/${other.id}`);
    await pressIn(page, "Rotate key");
    await page.getByRole("alert").getByText("This has changed in the meantime").waitFor();
    await page.keyboard.press("Escape");
    await row(page, "Test key").getByText("Revoked").waitFor();
  });

  test("a first key is made and revoked with the keyboard only, at 360 px", async () => {
    const tenant = await dashboard.platform.createTenant();
    const { body } = await tenant.owner.get("/v1/api-keys");
    for (const { id } of body.data) await tenant.owner.delete(`/v1/api-keys/${id}`);
    const { page, ...opened } = await dashboard.open({ as: ownerOf(tenant), at: KEYS, ...PHONE });
    await page.getByRole("heading", { name: "No key works yet" }).waitFor();
    await opened.picture("no-keys");
    await enter(page, "Menu");
    await page.getByRole("link", { name: "Overview" }).waitFor();
    await page.keyboard.press("Escape");
    await enter(page, "Create key");
    await page.getByLabel("Label").waitFor();
    await opened.expectNoSidewaysScroll();
    await page.keyboard.type("Made with the keyboard");
    await tabTo(page, /^read:content/);
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "I have stored it" }).waitFor();
    await opened.expectNoSidewaysScroll();
    await enter(page, "I have stored it");
    await row(page, "Made with the keyboard").waitFor();
    await enter(page, "Revoke Made with the keyboard");
    await enter(page, "Revoke key");
    await row(page, "Made with the keyboard").waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "No key works yet" }).waitFor();
  });
});
