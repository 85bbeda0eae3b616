// Who has access to a shop, in the dashboard: staff, set-up links, a user's own account, and the keys of programs.
import { apiClient, bearer } from "@tradepost/testing";
import type { Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import { ownerOf, PHONE, useDashboard } from "./support/dashboard.ts";
import {
  alert,
  dialog,
  exactly,
  fault,
  firstOf,
  gone,
  heading,
  inDialog,
  rowWith,
} from "./support/places.ts";
import { addMember, PASSWORD } from "./support/shop.ts";
import * as user from "./support/user.ts";

const KEYS = "/ai-integrations";

describeWithBrowser("who has access to a shop, in a browser (if there is one)", () => {
  const dashboard = useDashboard();

  const row = (page: Page, label: string) => page.getByRole("row", { name: label });
  const keyIn = async (page: Page) => (await dialog(page).locator("pre").first().textContent()) ?? "";
  const whoIs = (key: string) => apiClient(dashboard.platform.url, bearer(key)).get("/v1/me");

  test("adds a person, whose link leads to a password and into the shop", async () => {
    const { page, ...opened } = await dashboard.open({ at: "/staff" });
    await user.press(page, "Add a person");
    expect(new URL(page.url()).search).toBe("?add=true");
    expect(await page.getByRole("radio").count()).toBe(4);
    expect(await page.locator("input[type=password]").count()).toBe(0);
    // Each field says what is wrong with it, and the first one has the focus.
    await page.getByLabel("E-mail").fill("not an address");
    await page.getByLabel("Editor").check();
    await user.pressIn(page, "Add person", "Fill this in.", "This is not an e-mail address.");
    expect(await page.evaluate("document.activeElement.name")).toBe("name");
    await user.fill(page, { Name: "Grace Hopper", "E-mail": dashboard.owner.email });
    await user.see(page, gone("This is not an e-mail address."));
    await user.pressIn(page, "Add person", dialog(page).locator(".field-error"));
    expect(await page.evaluate("document.activeElement.name")).toBe("email");
    await opened.expectAccessible();
    await user.submit(page, { "E-mail": "grace@people.example" });
    await user.see(page, page.getByRole("button", { name: "I have sent it" }));
    const link = (await dialog(page).locator("pre").textContent()) ?? "";
    const token = link.split("#")[1] ?? "";
    expect(link).toBe(`${dashboard.platform.url}/dashboard/set-up#${token}`);
    await user.key(page, "Escape Escape");
    await page.mouse.click(5, 5);
    await user.pressIn(page, "Copy the setup link");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(link);
    await user.press(page, "I have sent it");
    expect(await page.content()).not.toContain(token);
    const row = page.getByRole("row", { name: /Grace Hopper/ });
    await user.see(page, row.getByText("Editor"), row.getByText("Invited", { exact: true }));
    await user.see(page, row.getByText(/^The link expires (tomorrow|in 24 hours)$/));

    // A change of the role ends the link.
    await user.follow(page, "Grace Hopper", /^The link expires/);
    const graceId = new URL(page.url()).pathname.split("/").at(-1);
    await dashboard.tenant.owner.patch(`/v1/users/${graceId}`, { role: "viewer" });
    await user.reload(page, "The link no longer works");
    await user.press(page, "Invite again", inDialog("It works for 24 hours"));
    await user.pressIn(page, "Make link");
    const again = ((await dialog(page).locator("pre").textContent()) ?? "").split("#")[1] ?? "";
    expect(again).not.toBe(token);
    await user.pressIn(page, "I have sent it", /^The link expires/);

    const grace = await dashboard.open({ as: null, at: `/set-up#${again}`, ...PHONE });
    const sent: string[] = [];
    grace.page.on("request", (request) => sent.push(request.url()));
    await user.see(grace.page, grace.page.getByLabel("New password"));
    await grace.page.waitForURL(/\/set-up$/);
    await grace.expectAccessible();
    await user.press(grace.page, "Show the password");
    await user.submit(grace.page, { "New password": "password1234" }, fault("Is too easy to guess"));
    expect(await grace.page.evaluate("document.activeElement.name")).toBe("password");
    await user.submit(grace.page, { "New password": PASSWORD }, heading("Test Shop"));
    // The link is used up, and the page keeps no copy of the token.
    await user.goTo(grace.page, `/set-up#${again}`, "You are signed in as Grace Hopper");
    await user.press(grace.page, "Sign out and go on");
    await user.submit(grace.page, { "New password": PASSWORD }, alert("This link no longer works"));
    await user.reload(grace.page, "The link is incomplete");
    const kept = await grace.page.evaluate("JSON.stringify([sessionStorage, localStorage, history.state])");
    expect(kept).not.toContain(again);
    expect(sent.filter((url) => url.includes(again))).toEqual([]);

    await user.reload(page, exactly("Active"));
    expect(await page.getByText(/^The link/).count()).toBe(0);
    const me = (await dashboard.tenant.owner.get("/v1/me")).body.data.actor.id;
    await user.goTo(page, `/staff/${me}`);
    await user.press(page, "Edit");
    await page.getByLabel("Admin").check();
    await user.pressIn(page, "Save", alert("This is the last active owner"));
  });

  test("changes, signs out and removes a person, with the keyboard only at 360 px", async () => {
    const name = `${"<b>Ünbreakable</b>".repeat(9)} 🧑‍🚀`;
    const person = await addMember(dashboard, name);
    await apiClient(dashboard.platform.url).post("/v1/auth/login", person.as, {
      "user-agent": "x".repeat(300),
    });
    const { page } = await dashboard.open({ at: "/staff", ...PHONE });
    await user.see(page, page.getByRole("table"));
    await user.enter(page, name, page.getByRole("heading", { name }));
    expect(new URL(page.url()).pathname).toBe(`/dashboard/staff/${person.id}`);
    await user.see(page, heading("Sessions"), page.getByRole("row", { name: /^x{60}…/ }));
    await user.enter(page, "Edit");
    await user.typeAt(page, "Name", "Ada Lovelace");
    await user.tabTo(page, /^Viewer/);
    await user.key(page, "ArrowDown Enter", heading("Ada Lovelace"), "Also works on orders");
    await user.enter(page, "End all sessions");
    await user.enter(page, "End all sessions", "Not signed in anywhere.");
    await user.enter(page, "New setup link");
    await user.enter(page, "Make link", dialog(page).locator("pre").getByText("/dashboard/set-up#"));
    await user.enter(page, "I have sent it");
    await user.enter(page, "Remove");
    await user.enter(page, "Remove person", heading("Staff"), firstOf("“Ada Lovelace” is removed."));
    await user.see(page, gone(page.getByRole("link", { name: "Ada Lovelace" })));
    await user.goTo(page, `/staff/${person.id}`, heading("This person is not on the staff"));
  });

  test("shows the own account: sessions, and a new password", async () => {
    const { as } = await addMember(dashboard, "Vera Viewer");
    const api = apiClient(dashboard.platform.url);
    await Promise.all([api.post("/v1/auth/login", as), api.post("/v1/auth/login", as)]);
    const { page } = await dashboard.open({ as, at: "/" });
    await user.follow(page, /Vera Viewer/, rowWith(/This session/));
    expect(await page.getByRole("row").count()).toBe(4);
    await page.getByRole("button", { name: "End node" }).first().click();
    await user.see(page, firstOf("The session is ended."));
    await user.press(page, "End all other sessions", firstOf("1 other session has ended."));
    await user.submit(page, {
      "Current password": "not the password",
      "New password": "four green harbours",
    });
    await user.see(page, fault("Is not your password."));
    expect(await page.evaluate("document.activeElement.name")).toBe("currentPassword");
    await user.submit(page, { "Current password": PASSWORD });
    await user.see(page, firstOf("Your password is changed. You had no other sessions."));
    expect(await page.getByLabel("Current password").inputValue()).toBe("");
    await user.press(page, "End this session", heading("Sign in to Tradepost"));
    await user.reload(page, heading("Sign in to Tradepost"));
  });

  test("makes a key, proves it, changes it, rotates it and revokes it", async () => {
    const tenant = await dashboard.platform.createTenant();
    const { page, ...opened } = await dashboard.open({ as: ownerOf(tenant), at: KEYS });
    await user.press(page, "Create key");
    expect(new URL(page.url()).search).toBe("?create=true");
    await user.back(page, gone(dialog(page)));
    await page.goForward();
    // Each fault is at its field.
    await page.getByLabel("Label").fill("  ");
    await page.getByLabel("Expires").selectOption("On a date…");
    await page.getByLabel("Date").fill("2020-01-31");
    await user.press(page, "Read only");
    await user.pressIn(page, "Create key", dialog(page).getByRole("alert"));
    await opened.expectAccessible();
    for (const label of ["Label", "Date"])
      expect(await dialog(page).getByLabel(label).getAttribute("aria-invalid")).toBe("true");
    expect(await dialog(page).getByText("Must be in the future.").count()).toBe(1);
    expect(await page.evaluate("document.activeElement.name")).toBe("label");
    await page.keyboard.press("Escape");
    await user.press(page, "Discard my changes", gone(dialog(page)));

    await user.press(page, "Create key");
    await page.getByLabel("Label").fill("Shop assistant");
    await page.getByLabel("Expires").selectOption("In 90 days");
    // A key that may do nothing is of no use to anybody.
    await user.pressIn(page, "Create key", fault("Choose at least one"));
    expect(await page.evaluate("document.activeElement.name")).toBe("scopes");
    await user.pressIn(page, "Everything");
    expect(await dialog(page).getByRole("checkbox", { checked: true }).count()).toBe(5);
    await user.pressIn(page, "Orders");
    expect(await dialog(page).getByRole("button", { pressed: true }).textContent()).toBe("Orders");
    await user.pressIn(page, "Create key", page.getByRole("button", { name: "I have stored it" }));

    const key = await keyIn(page);
    expect(key).toMatch(/^sk_live_/);
    expect((await whoIs(key)).body.data.actor).toMatchObject({
      name: "Shop assistant",
      scopes: ["read:crm", "write:crm"],
    });
    await user.key(page, "Escape Escape");
    await page.mouse.click(5, 5);
    expect(await keyIn(page)).toBe(key);
    await user.pressIn(page, "Copy the key");
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
    await user.press(page, "I have stored it");
    expect(await page.content()).not.toContain(key);
    expect(await row(page, "Shop assistant").textContent()).toMatch(/Active.*in 90 days/);

    // The expiry is brought forward, never back.
    await user.press(page, "Edit Shop assistant");
    await page.getByLabel("Label").fill("Till");
    await page.getByLabel("Expires").selectOption("On a date…");
    await page.getByLabel("Date").fill("2099-12-31");
    await user.pressIn(page, "Save", inDialog("Must not be later than the key's present expiry."));
    expect(await page.evaluate("document.activeElement.name")).toBe("date");
    await page.getByLabel("Expires").selectOption("In 30 days");
    await user.pressIn(page, "Save", row(page, "Till").getByText("in 30 days"));

    await user.confirm(
      page,
      "Rotate Till",
      "Rotate key",
      page.getByRole("button", { name: "I have stored it" }),
    );
    const successor = await keyIn(page);
    expect([(await whoIs(key)).status, (await whoIs(successor)).status]).toEqual([200, 200]);
    await user.press(page, "I have stored it", row(page, "Till").nth(1).getByText("Expires soon"));

    await page.getByRole("button", { name: "Revoke Till" }).first().click();
    await user.press(page, "Revoke key", firstOf("The key “Till” is revoked."));
    expect((await whoIs(successor)).status).toBe(401);
    await page.getByLabel(/Show revoked and expired keys/).check();
    await user.see(page, row(page, "Till").first().getByText("Revoked"));
    expect(new URL(page.url()).search).toBe("?all=true");
    // The key is revoked elsewhere while a dialog about it is open.
    const { body } = await tenant.owner.get("/v1/api-keys");
    const other = body.data.find(({ label }: { label: string }) => label === "Test key");
    await user.press(page, "Rotate Test key");
    await tenant.owner.delete(`/v1/api-keys/${other.id}`);
    await user.pressIn(page, "Rotate key", alert("This has changed in the meantime"));
    await user.key(page, "Escape", row(page, "Test key").getByText("Revoked"));
  });

  test("a first key is made and revoked with the keyboard only, at 360 px", async () => {
    const tenant = await dashboard.platform.createTenant();
    const { body } = await tenant.owner.get("/v1/api-keys");
    for (const { id } of body.data) await tenant.owner.delete(`/v1/api-keys/${id}`);
    const { page } = await dashboard.open({ as: ownerOf(tenant), at: KEYS, ...PHONE });
    await user.see(page, heading("No key works yet"));
    await user.enter(page, "Menu", page.getByRole("link", { name: "Overview" }));
    await page.keyboard.press("Escape");
    await user.enter(page, "Create key", page.getByLabel("Label"));
    await page.keyboard.type("Made with the keyboard");
    await user.tabTo(page, /^read:content/);
    await page.keyboard.press("Space");
    await user.key(page, "Enter", page.getByRole("button", { name: "I have stored it" }));
    await user.enter(page, "I have stored it", row(page, "Made with the keyboard"));
    await user.enter(page, "Revoke Made with the keyboard");
    await user.enter(page, "Revoke key", gone(row(page, "Made with the keyboard")));
    await user.see(page, heading("No key works yet"));
  });
});
