// The screen of API keys: a key is created, shown once, used, rotated and revoked.
import { expect, test } from "@jest/globals";
import { apiClient, bearer } from "@tradepost/testing";
import type { Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import { refuseOnce, tabTo, useDashboard } from "./support/dashboard.ts";

const AT = "/ai-integrations";

describeWithBrowser("AI integrations in a browser (if there is one)", () => {
  const dashboard = useDashboard();

  const dialog = (page: Page) => page.getByRole("dialog");
  const row = (page: Page, label: string) => page.getByRole("row", { name: label });
  const keyIn = async (page: Page) => (await dialog(page).locator("pre").first().textContent()) ?? "";
  const whoIs = (key: string) => apiClient(dashboard.platform.url, bearer(key)).get("/v1/me");

  test("makes a key, proves it, rotates it and revokes it", async () => {
    const { page, ...opened } = await dashboard.open({ at: AT });
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByLabel("Label").fill("Shop assistant");
    await page.getByLabel("Expires").selectOption("In 90 days");
    // A key that may do nothing is of no use to anybody.
    await dialog(page).getByRole("button", { name: "Create key" }).click();
    await dialog(page).locator(".field-error").getByText("Choose at least one").waitFor();
    expect(await page.evaluate("document.activeElement.name")).toBe("scopes");
    await dialog(page).getByRole("button", { name: "Everything" }).click();
    expect(await dialog(page).getByRole("checkbox", { checked: true }).count()).toBe(5);
    await dialog(page).getByRole("button", { name: "Orders" }).click();
    expect(await dialog(page).getByRole("button", { pressed: true }).textContent()).toBe("Orders");
    await opened.picture("create-key");
    await dialog(page).getByRole("button", { name: "Create key" }).click();
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
    await dialog(page).getByRole("button", { name: "Copy the key" }).click();
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
    await page.getByRole("button", { name: "I have stored it" }).click();
    expect(await page.content()).not.toContain(key);
    expect(await row(page, "Shop assistant").textContent()).toMatch(/Active.*in 90 days/);

    await page.getByRole("button", { name: "Rotate Shop assistant" }).click();
    await dialog(page).getByRole("button", { name: "Rotate key" }).click();
    await page.getByRole("button", { name: "I have stored it" }).waitFor();
    const successor = await keyIn(page);
    expect([(await whoIs(key)).status, (await whoIs(successor)).status]).toEqual([200, 200]);
    await page.getByRole("button", { name: "I have stored it" }).click();
    await row(page, "Shop assistant").nth(1).getByText("Expires soon").waitFor();

    await page.getByRole("button", { name: "Revoke Shop assistant" }).first().click();
    await page.getByRole("button", { name: "Revoke key" }).click();
    await page.getByText("The key “Shop assistant” is revoked.").first().waitFor();
    expect((await whoIs(successor)).status).toBe(401);
    await page.getByLabel(/Show revoked and expired keys/).check();
    await row(page, "Shop assistant").first().getByText("Revoked").waitFor();
    expect(new URL(page.url()).search).toBe("?all=true");
    await opened.picture("keys");
  });

  test("is used with the keyboard only, at 360 px", async () => {
    const { page, ...opened } = await dashboard.open({ at: AT, width: 360, height: 740 });
    await page.getByRole("table").waitFor();
    await opened.picture("keys-narrow");
    await tabTo(page, "Menu");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Overview" }).waitFor();
    await page.keyboard.press("Escape");
    await tabTo(page, "Create key");
    await page.keyboard.press("Enter");
    await page.getByLabel("Label").waitFor();
    await opened.expectNoSidewaysScroll();
    await page.keyboard.type("Made with the keyboard");
    await tabTo(page, /^read:content/);
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "I have stored it" }).waitFor();
    await opened.expectNoSidewaysScroll();
    await tabTo(page, "I have stored it");
    await page.keyboard.press("Enter");
    await row(page, "Made with the keyboard").waitFor();
    await tabTo(page, "Revoke Made with the keyboard");
    await page.keyboard.press("Enter");
    await tabTo(page, "Revoke key");
    await page.keyboard.press("Enter");
    await row(page, "Made with the keyboard").waitFor({ state: "detached" });
  });

  test("has an address for the form, which back closes, and shows faults at their fields", async () => {
    const { page, ...opened } = await dashboard.open({ at: AT });
    await page.getByRole("button", { name: "Create key" }).click();
    expect(new URL(page.url()).search).toBe("?create=true");
    await page.goBack();
    await dialog(page).waitFor({ state: "detached" });
    await page.goForward();
    await page.getByLabel("Label").fill("  ");
    await page.getByLabel("Expires").selectOption("On a date…");
    await page.getByLabel("Date").fill("2020-01-31");
    await page.getByRole("button", { name: "Read only" }).click();
    await dialog(page).getByRole("button", { name: "Create key" }).click();
    await dialog(page).getByRole("alert").waitFor();
    await opened.expectAccessible("create-key-faults");
    for (const label of ["Label", "Date"])
      expect(await dialog(page).getByLabel(label).getAttribute("aria-invalid")).toBe("true");
    expect(await dialog(page).getByText("Must be in the future.").count()).toBe(1);
    expect(await page.evaluate("document.activeElement.name")).toBe("label");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard my changes" }).click();
    await dialog(page).waitFor({ state: "detached" });
  });

  test("says that a key has changed, and shows its state", async () => {
    const created = await dashboard.tenant.owner.post("/v1/api-keys", { label: "Changed", scopes: [] });
    const { page } = await dashboard.open({ at: `${AT}?all=true` });
    await page.getByRole("button", { name: "Rotate Changed" }).click();
    await dashboard.tenant.owner.delete(`/v1/api-keys/${created.body.data.id}`);
    await page.getByRole("button", { name: "Rotate key" }).click();
    await page.getByRole("alert").getByText("This has changed in the meantime").waitFor();
    await page.keyboard.press("Escape");
    await row(page, "Changed").getByText("Revoked").waitFor();
  });

  test("changes the label, and brings the expiry forward but never back", async () => {
    const expiresAt = new Date(Date.now() + 60 * 24 * 3_600_000).toISOString();
    const created = await dashboard.tenant.owner.post("/v1/api-keys", {
      label: "Till",
      scopes: [],
      expiresAt,
    });
    const { page, ...opened } = await dashboard.open({ at: AT });
    await page.getByRole("button", { name: "Edit Till" }).click();
    expect(await page.getByLabel("Expires").locator("option").allTextContents()).not.toContain("In 90 days");
    await page.getByLabel("Label").fill("Till at the door");
    await page.getByLabel("Expires").selectOption("On a date…");
    await page.getByLabel("Date").fill("2099-12-31");
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await dialog(page).getByText("Must not be later than the key's present expiry.").waitFor();
    expect(await page.evaluate("document.activeElement.name")).toBe("date");
    await opened.picture("change-key");
    await page.getByLabel("Expires").selectOption("In 30 days");
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await row(page, "Till at the door").getByText("in 30 days").waitFor();
    await page.getByRole("button", { name: "Edit Till at the door" }).click();
    await dashboard.tenant.owner.delete(`/v1/api-keys/${created.body.data.id}`);
    await dialog(page).getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("The key has been revoked.").waitFor();
    await row(page, "Till at the door").waitFor({ state: "detached" });
  });

  test("says what to do when there are no keys, and when they cannot be read", async () => {
    const empty = await dashboard.platform.createTenant();
    const { body } = await empty.owner.get("/v1/api-keys");
    for (const { id } of body.data) await empty.owner.delete(`/v1/api-keys/${id}`);
    const as = { email: empty.ownerEmail, password: empty.ownerPassword };
    const { page, ...opened } = await dashboard.open({ as, at: AT });
    await page.getByRole("heading", { name: "No key works yet" }).waitFor();
    await opened.picture("no-keys");
    // This screen does not load the keys.
    await page.getByRole("link", { name: "Events" }).click();
    await refuseOnce(page, "/v1/api-keys?limit=100", { status: 403, code: "forbidden" });
    await page.reload();
    await page.getByRole("heading", { name: "Events" }).waitFor();
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("alert").getByText("Your role does not allow this").waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "No key works yet" }).waitFor();
  });
});
