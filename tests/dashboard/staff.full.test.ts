// The people of a shop in the dashboard: staff, set-up links, a user's own account, and the audit log of their actions.
import { expect, test } from "@jest/globals";
import { apiClient } from "@tradepost/testing";
import type { Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import { refuseOnce, tabTo, useDashboard } from "./support/dashboard.ts";

const PASSWORD = "three blue harbours";

describeWithBrowser("the people of a shop in a browser (if there is one)", () => {
  const dashboard = useDashboard();

  const dialog = (page: Page) => page.getByRole("dialog");
  const addUser = async (name: string, role: string) => {
    const email = `${name.replace(/\W/g, "").slice(0, 20).toLowerCase()}@people.example`;
    const { body } = await dashboard.tenant.owner.post("/v1/users", { name, email, role });
    return { id: body.data.id as string, email, token: body.data.setup.token as string };
  };
  const addSignedUp = async (name: string, role: string) => {
    const { id, email, token } = await addUser(name, role);
    await apiClient(dashboard.platform.url).post("/v1/auth/setup", { token, password: PASSWORD });
    return { id, as: { email, password: PASSWORD } };
  };

  test("adds a person, whose link leads to a password and into the shop", async () => {
    const { page, ...opened } = await dashboard.open({ at: "/staff" });
    await page.getByRole("button", { name: "Add a person" }).click();
    expect(new URL(page.url()).search).toBe("?add=true");
    expect(await page.getByRole("radio").count()).toBe(4);
    expect(await page.locator("input[type=password]").count()).toBe(0);
    // Each field says what is wrong with it, and the first one has the focus.
    await page.getByLabel("E-mail").fill("not an address");
    await page.getByLabel("Editor").check();
    await dialog(page).getByRole("button", { name: "Add person" }).click();
    await page.getByText("Fill this in.").waitFor();
    await page.getByText("This is not an e-mail address.").waitFor();
    expect(await page.evaluate("document.activeElement.name")).toBe("name");
    await page.getByLabel("Name").fill("Grace Hopper");
    await page.getByLabel("E-mail").fill(dashboard.owner.email);
    await page.getByText("This is not an e-mail address.").waitFor({ state: "detached" });
    await dialog(page).getByRole("button", { name: "Add person" }).click();
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
    await dialog(page).getByRole("button", { name: "Copy the setup link" }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(link);
    await opened.picture("setup-link");
    await page.getByRole("button", { name: "I have sent it" }).click();
    expect(await page.content()).not.toContain(token);
    const row = page.getByRole("row", { name: /Grace Hopper/ });
    await row.getByText("Editor").waitFor();
    await row.getByText("Invited", { exact: true }).waitFor();
    await row.getByText(/^The link expires (tomorrow|in 24 hours)$/).waitFor();
    await opened.picture("staff");

    const grace = await dashboard.open({ as: null, at: `/set-up#${token}`, width: 360 });
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
    await grace.page.goto(`${dashboard.platform.url}/dashboard/set-up#${token}`);
    await grace.page.getByText("You are signed in as Grace Hopper").waitFor();
    await grace.picture("set-up-signed-in");
    await grace.page.getByRole("button", { name: "Sign out and go on" }).click();
    await grace.page.getByLabel("New password").fill(PASSWORD);
    await grace.page.keyboard.press("Enter");
    await grace.page.getByRole("alert").getByText("This link no longer works").waitFor();
    await grace.page.reload();
    await grace.page.getByText("The link is incomplete").waitFor();
    const kept = await grace.page.evaluate("JSON.stringify([sessionStorage, localStorage, history.state])");
    expect(kept).not.toContain(token);
    expect(sent.filter((url) => url.includes(token))).toEqual([]);
  });

  test("changes, signs out and removes a person, with the keyboard only at 360 px", async () => {
    const name = `${"<b>Ünbreakable</b>".repeat(9)} 🧑‍🚀`;
    const person = await addSignedUp(name, "viewer");
    await apiClient(dashboard.platform.url).post("/v1/auth/login", person.as, {
      "user-agent": "x".repeat(300),
    });
    const { page, ...opened } = await dashboard.open({ at: "/staff", width: 360, height: 740 });
    await page.getByRole("table").waitFor();
    await opened.picture("staff-narrow");
    await opened.expectNoSidewaysScroll();
    await tabTo(page, name);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/dashboard/staff/${person.id}`);
    await page.getByRole("heading", { name: "Sessions" }).waitFor();
    await page.getByRole("row", { name: /^x{60}…/ }).waitFor();
    await opened.picture("person-narrow");
    await opened.expectNoSidewaysScroll();
    await tabTo(page, "Edit");
    await page.keyboard.press("Enter");
    await tabTo(page, "Name");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("Ada Lovelace");
    await tabTo(page, /^Viewer/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Ada Lovelace", exact: true }).waitFor();
    await page.getByText("Also works on orders").waitFor();
    await tabTo(page, "End all sessions");
    await page.keyboard.press("Enter");
    await tabTo(page, "End all sessions");
    await page.keyboard.press("Enter");
    await page.getByText("Not signed in anywhere.").waitFor();
    await tabTo(page, "New setup link");
    await page.keyboard.press("Enter");
    await tabTo(page, "Make link");
    await page.keyboard.press("Enter");
    await dialog(page).locator("pre").getByText("/dashboard/set-up#").waitFor();
    await opened.expectNoSidewaysScroll();
    await tabTo(page, "I have sent it");
    await page.keyboard.press("Enter");
    await tabTo(page, "Remove");
    await page.keyboard.press("Enter");
    await tabTo(page, "Remove person");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Staff" }).waitFor();
    await page.getByText("“Ada Lovelace” is removed.").first().waitFor();
    await page.getByRole("link", { name: "Ada Lovelace" }).waitFor({ state: "detached" });
    await page.goto(`${dashboard.platform.url}/dashboard/staff/${person.id}`);
    await page.getByRole("heading", { name: "This person is not on the staff" }).waitFor();
  });

  test("invites a person again whose link has expired or was lost", async () => {
    const invited = await addUser("Ivy Invited", "viewer");
    const { page, ...opened } = await dashboard.open({ at: `/staff/${invited.id}` });
    await page.getByText(/^The link expires/).waitFor();
    await dashboard.tenant.owner.patch(`/v1/users/${invited.id}`, { role: "editor" });
    await page.reload();
    await page.getByText("The link no longer works").waitFor();
    await page.getByRole("button", { name: "Invite again" }).click();
    await dialog(page).getByText("It works for 24 hours").waitFor();
    await dialog(page).getByRole("button", { name: "Make link" }).click();
    const link = (await dialog(page).locator("pre").textContent()) ?? "";
    await page.getByRole("button", { name: "I have sent it" }).click();
    await page.getByText(/^The link expires/).waitFor();
    await opened.picture("person-invited");
    const api = apiClient(dashboard.platform.url);
    const setUp = (token: string) => api.post("/v1/auth/setup", { token, password: PASSWORD });
    expect((await setUp(invited.token)).status).toBe(401);
    expect((await setUp(link.split("#")[1] ?? "")).status).toBe(200);
    await page.reload();
    await page.getByText("Active", { exact: true }).waitFor();
    expect(await page.getByText(/^The link/).count()).toBe(0);
  });

  test("keeps the last owner, and offers an admin nothing that only an owner may do", async () => {
    const { body } = await dashboard.tenant.owner.get("/v1/me");
    const at = `/staff/${body.data.actor.id}`;
    const owner = await dashboard.open({ at });
    await owner.page.getByRole("button", { name: "Edit" }).click();
    await owner.page.getByLabel("Admin").check();
    await owner.page.getByRole("button", { name: "Save" }).click();
    await owner.page.getByRole("alert").getByText("This is the last active owner").waitFor();
    await owner.picture("last-owner");
    await owner.close();

    const admin = await dashboard.open({ as: (await addSignedUp("Alan Admin", "admin")).as, at });
    await admin.page.getByText("Only an owner may manage an owner").waitFor();
    await admin.page.getByText("What this person did").waitFor();
    for (const name of ["Edit", "New setup link", "Remove", "End all sessions"])
      expect(await admin.page.getByRole("button", { name }).count()).toBe(0);
    await admin.page.getByRole("link", { name: "All staff" }).click();
    await admin.page.getByRole("button", { name: "Add a person" }).click();
    expect(await admin.page.getByRole("radio").count()).toBe(3);
  });

  test("shows the own account to everyone: sessions, and a new password", async () => {
    const { as } = await addSignedUp("Vera Viewer", "viewer");
    const api = apiClient(dashboard.platform.url);
    await Promise.all([api.post("/v1/auth/login", as), api.post("/v1/auth/login", as)]);
    const { page, ...opened } = await dashboard.open({ as, at: "/staff" });
    await page.getByText("This is for the roles admin and owner. You are signed in as viewer.").waitFor();
    expect(await page.getByRole("link", { name: /Staff|Audit log/ }).count()).toBe(0);
    await page.goto(`${dashboard.platform.url}/dashboard/audit-log`);
    await page.getByText("This is for the roles admin and owner.").waitFor();
    await page.getByRole("link", { name: /Vera Viewer/ }).click();
    await page.getByRole("row", { name: /This session/ }).waitFor();
    expect(await page.getByRole("row").count()).toBe(4);
    await opened.picture("account");
    await page.getByRole("button", { name: "End node" }).first().click();
    await page.getByText("The session is ended.").first().waitFor();
    await page.getByRole("button", { name: "End all other sessions" }).click();
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
    await page.setViewportSize({ width: 360, height: 740 });
    await opened.expectNoSidewaysScroll();
    await opened.picture("account-narrow");
    await page.getByRole("button", { name: "End this session" }).click();
    await page.getByRole("heading", { name: "Sign in to Tradepost" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Sign in to Tradepost" }).waitFor();
  });

  test("shows what was done in the audit log, with filters in the address", async () => {
    const { owner } = dashboard.tenant;
    const user = await addSignedUp("Nora Named", "viewer");
    await owner.send("PATCH", `/v1/users/${user.id}`, {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ role: "editor" }),
    });
    await apiClient(dashboard.platform.url).post("/v1/auth/login", { ...user.as, password: "wrong" });
    const { page, ...opened } = await dashboard.open({ at: `/staff/${user.id}` });
    await page.getByRole("link", { name: "What was done to this person" }).click();
    await page.waitForURL(`**/audit-log?targetId=${user.id}`);
    await page.getByText("Sign-in failed", { exact: true }).last().waitFor();
    const change = page.getByRole("row").filter({ hasText: "Changed a person" });
    await change.locator("summary").click();
    expect(await change.textContent()).toMatch(/Roleviewer.*editor/);
    await change.getByRole("button", { name: /Copy the target id$/ }).click();
    await change.getByRole("button", { name: /Copied$/ }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(user.id);
    await change.getByRole("button", { name: /Copy the request id$/ }).waitFor();
    expect(await change.getByRole("link", { name: "Nora Named" }).getAttribute("href")).toBe(
      `/dashboard/staff/${user.id}`,
    );
    await opened.picture("audit-log");
    await page.getByLabel("What").selectOption("Changed a person");
    await page.waitForURL(/action=user.updated/);
    await page.getByLabel("To", { exact: true }).fill("2020-01-31T10:00");
    await page.getByRole("heading", { name: "No entry matches" }).waitFor();
    expect(new URL(page.url()).searchParams.get("to")).toBe(new Date("2020-01-31T10:00").toISOString());
    await page.goBack();
    await change.waitFor();
    expect(await page.getByLabel("To", { exact: true }).inputValue()).toBe("");
    expect(await page.getByRole("row").count()).toBe(2);
    await page.getByRole("link", { name: "the whole log" }).waitFor({ state: "detached" });

    const keyId = (await owner.get("/v1/api-keys")).body.data[0].id;
    await page.goto(`${dashboard.platform.url}/dashboard/ai-integrations`);
    await page.getByRole("link", { name: "What did this key do? Test key" }).click();
    await page.getByText("The requests of “Test key”").waitFor();
    await page.getByRole("link", { name: "audit log", exact: true }).click();
    await page.getByRole("row").filter({ hasText: "Created a key" }).first().waitFor();
    await page.goto(`${dashboard.platform.url}/dashboard/audit-log?actorId=${keyId}`);
    await page.getByRole("link", { name: "the requests of this key" }).waitFor();
    expect(await page.getByLabel("Who").locator("option:checked").textContent()).toBe("Key: Test key");
    await page.getByRole("link", { name: "what was done to it" }).click();
    await page.getByRole("row").filter({ hasText: "Created a key" }).first().waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    await opened.expectNoSidewaysScroll();
    await tabTo(page, /^Created a key/);
    await page.keyboard.press("Enter");
    await page.getByText("Exact time").waitFor();
    await opened.expectNoSidewaysScroll();
    await opened.picture("audit-log-narrow");
  });

  test("verifies the chain of the audit log, and names an entry that was changed", async () => {
    const { page, ...opened } = await dashboard.open({ at: "/audit-log" });
    const verify = page.getByRole("button", { name: "Verify now" });
    await verify.click();
    await page
      .getByRole("alert")
      .getByText(/^Verified up to entry \d+$/)
      .waitFor();
    await opened.picture("audit-log-verified");
    await page.route("**/v1/audit-log/export*", async (route) => {
      const [first = "", second = "", ...rest] = (await (await route.fetch()).text()).split("\n");
      const changed = second.replace(/"action":"\w/, '"action":"x');
      await route.fulfill({ body: [first, changed, ...rest].join("\n") });
    });
    await verify.click();
    await page.getByRole("alert").getByText("Entry 2 was changed").waitFor();
  });

  test("says that the staff cannot be read, and reads it again", async () => {
    const { page } = await dashboard.open();
    await page.getByRole("heading", { name: "Test Shop" }).waitFor();
    await refuseOnce(page, "/v1/users?limit=100", { status: 403, code: "forbidden" });
    await page.getByRole("link", { name: "Staff" }).click();
    await page.getByRole("alert").getByText("Your role does not allow this").waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("table").waitFor();
  });
});
