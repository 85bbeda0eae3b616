// What happens to typed text when the user signs out, here or in another tab, and when the session ends.
import { beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import { useDashboard } from "./support/dashboard.ts";

interface Staff {
  readonly email: string;
  readonly password: string;
}

describeWithBrowser("typed text and the session in a browser (if there is one)", () => {
  const dashboard = useDashboard();
  let editor: Staff;
  beforeAll(async () => {
    editor = await dashboard.addStaff("editor");
  });

  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
  const item = (page: Page) => page.getByRole("group", { name: "Item 1", exact: true });
  const openOrder = async () => {
    const opened = await dashboard.open({
      as: editor,
      at: `/orders/new?customerId=${dashboard.tenant.customerId}`,
    });
    const { page } = opened;
    for (const [label, value] of Object.entries({
      Name: "Mug",
      SKU: "M-1",
      Quantity: "3",
      "Unit price": "2",
    }))
      await item(page).getByLabel(label, { exact: true }).fill(value);
    return opened;
  };
  const again = (page: Page) => page.getByRole("dialog", { name: "Sign in again" });
  const email = (page: Page) => again(page).getByLabel("E-mail");
  const signIn = async (page: Page, { password }: Staff) => {
    await again(page).getByLabel("Password").fill(password);
    await again(page).getByRole("button", { name: "Sign in", exact: true }).click();
    await again(page).waitFor({ state: "detached" });
  };
  const endSession = async () => {
    const { body } = await dashboard.tenant.owner.get("/v1/users");
    const { id } = body.data.find((user: { email: string }) => user.email === editor.email);
    await dashboard.tenant.owner.delete(`/v1/users/${id}/sessions`);
  };

  test("Sign out asks before a half-typed order is lost", async () => {
    const { page } = await openOrder();
    await press(page, "Sign out");
    await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor();
    await press(page, "Stay here");
    expect(await item(page).getByLabel("Name").inputValue()).toBe("Mug");
    await press(page, "Sign out");
    await press(page, "Discard my changes");
    await page.getByRole("heading", { name: "Sign in to Tradepost" }).waitFor();
  });

  test("a sign-out in another tab keeps the order, and the same user goes on with it", async () => {
    const { page, context, ...opened } = await openOrder();
    const other = await context.newPage();
    await other.goto(`${dashboard.platform.url}/dashboard/`);
    await other.getByRole("button", { name: "Sign out" }).click();
    await other.getByRole("heading", { name: "Sign in to Tradepost" }).waitFor();
    await again(page).getByText("Sign in as Ada editor").waitFor();
    await opened.expectAccessible("sign-in-again");
    // Who signs out leaves no e-mail.
    expect(await email(page).inputValue()).toBe("");
    await email(page).fill(editor.email);
    // Only the dialog's own buttons close it, and it hides what is below it.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    expect(await again(page).isVisible()).toBe(true);
    const backdrop = `getComputedStyle(document.querySelector("dialog"), "::backdrop").backgroundColor`;
    expect(await page.evaluate(backdrop)).toMatch(/^rgb\(/);
    await signIn(page, editor);
    expect(await item(page).getByLabel("Name").inputValue()).toBe("Mug");
    await press(page, "Place order");
    await page.getByRole("heading", { name: /^Order 1/, level: 1 }).waitFor();
  });

  test("an order that is sent after the session has ended is kept too", async () => {
    const { page } = await openOrder();
    await endSession();
    await press(page, "Place order");
    expect(await email(page).inputValue()).toBe(editor.email);
    await signIn(page, editor);
    await press(page, "Place order");
    await page.getByRole("heading", { name: /^Order 1/, level: 1 }).waitFor();
  });

  test("somebody else who signs in does not get the order", async () => {
    const { page } = await openOrder();
    await endSession();
    await press(page, "Place order");
    await email(page).fill(dashboard.owner.email);
    await signIn(page, dashboard.owner);
    await page.getByRole("heading", { name: "Test Shop" }).waitFor();
    expect(await page.locator("form.form").count()).toBe(0);
  });

  test("the order is discarded on request", async () => {
    const { page } = await openOrder();
    await endSession();
    await press(page, "Place order");
    await again(page).getByRole("button", { name: "Discard what I typed" }).click();
    await page.getByRole("heading", { name: "Sign in to Tradepost" }).waitFor();
  });
});
