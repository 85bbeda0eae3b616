// Erasing a customer in the dashboard: what is erased and what stays, the name typed to confirm, and how far it has come.
import { expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import { refuseOnce, tabTo, useDashboard } from "./support/dashboard.ts";

const ADDRESS = { line1: "1 Harbour Street", city: "Lisbon", country: "PT" };

describeWithBrowser("erasing a customer in a browser (if there is one)", () => {
  const dashboard = useDashboard();

  const dialog = (page: Page) => page.locator("dialog");
  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const customer = async (name: string) => {
    const { key } = dashboard.tenant;
    const { body } = await key.post("/v1/customers", { name, email: "ada@example.com", phone: "+351 555" });
    const items = [{ sku: "MUG-1", name: "Mug", unitPrice: 10 }];
    const order = { customerId: body.data.id, items, shippingAddress: ADDRESS, customerNote: "For Ada" };
    const placed = await key.post("/v1/orders", order);
    return { id: body.data.id as string, order: placed.body.data };
  };

  test("an owner types the name, and sees the end of it; nothing can be changed afterwards", async () => {
    const { id, order } = await customer("Ada Lovelace");
    const { page, ...opened } = await dashboard.open({ at: `/customers/${id}` });
    await button(page, "Erase personal data").click();
    await dialog(page).getByRole("heading", { name: "What goes" }).waitFor();
    await dialog(page).getByRole("heading", { name: "What stays" }).waitFor();
    await opened.expectAccessible("erase-customer");
    const name = dialog(page).getByLabel("Type the name to confirm");
    await name.fill("Ada");
    await button(page, "Erase for good").click();
    await dialog(page).getByText("This is another name.").waitFor();
    expect(await name.getAttribute("aria-invalid")).toBe("true");
    const { body } = await dashboard.tenant.key.get(`/v1/customers/${id}`);
    expect(body.data.erasedAt).toBeUndefined();

    await refuseOnce(page, `/v1/customers/${id}/erasure`, { status: 403, code: "forbidden" });
    await name.fill("Ada Lovelace");
    await button(page, "Erase for good").click();
    await dialog(page).getByRole("alert").waitFor();
    await button(page, "Erase for good").click();
    await dialog(page).getByRole("heading", { name: "The person is erased" }).waitFor();
    await dialog(page)
      .getByText(/^Finished\. Records changed: \d+\.$/)
      .waitFor();
    await opened.picture("erased-dialog");
    await button(page, "Close").click();
    await page.getByRole("heading", { name: "Erased customer" }).waitFor();
    await page.getByText("This person was erased").waitFor();
    for (const gone of ["Erase personal data", "Edit"]) expect(await button(page, gone).count()).toBe(0);
    expect(await page.getByRole("link", { name: "Place an order for them" }).count()).toBe(0);
    await opened.picture("erased-customer");
    await page.getByText("Harbour").waitFor({ state: "detached" });
    expect(await page.content()).not.toContain("ada@example.com");

    await page.getByRole("rowheader").getByRole("link", { name: order.orderNumber }).click();
    await page.getByRole("heading", { name: order.orderNumber }).waitFor();
    await page.getByText("Portugal", { exact: true }).waitFor();
    expect(await page.content()).not.toContain("Harbour");
    await opened.picture("order-of-erased");
  });

  test("with the keyboard on a narrow screen", async () => {
    const { id } = await customer("Grace");
    const { page, ...opened } = await dashboard.open({ at: `/customers/${id}`, width: 360 });
    await button(page, "Erase personal data").waitFor();
    await tabTo(page, "Erase personal data");
    await page.keyboard.press("Enter");
    await tabTo(page, "Type the name to confirm");
    await page.keyboard.type("Grace");
    await opened.expectNoSidewaysScroll();
    await page.keyboard.press("Enter");
    await dialog(page).getByRole("heading", { name: "The person is erased" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("This person was erased").waitFor();
    await opened.expectNoSidewaysScroll();
  });

  test("is not offered to an editor", async () => {
    const { id } = await customer("Alan");
    const editor = await dashboard.addStaff("editor");
    const { page } = await dashboard.open({ as: editor, at: `/customers/${id}` });
    await button(page, "Edit").waitFor();
    expect(await button(page, "Erase personal data").count()).toBe(0);
  });
});
