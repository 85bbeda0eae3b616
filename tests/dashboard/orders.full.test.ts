// Orders and customers in the dashboard: finding and placing orders, actions on them, and erasing a person.
import { expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import type { Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import {
  descriptionOf,
  enter,
  PHONE,
  press,
  pressIn,
  refuseOnce,
  tabTo,
  useDashboard,
} from "./support/dashboard.ts";

const HOSTILE = `<img src=x onerror="document.title='stolen'"> ${"w".repeat(200)} evil 🧑‍🚀`;
const MUG = { sku: "MUG-1", name: "Mug, blue", quantity: 3, unitPrice: 19.9925, taxAmount: 6 };

describeWithBrowser("orders and customers in a browser (if there is one)", () => {
  const dashboard = useDashboard();

  const dialog = (page: Page) => page.getByRole("dialog");
  const place = async (more: object = {}) => {
    const { customerId, key } = dashboard.tenant;
    const { body, status } = await key.post("/v1/orders", { customerId, items: [MUG], ...more });
    expect(status).toBe(201);
    return body.data as { id: string; orderNumber: string };
  };

  test("orders are found by filters in the address, and the list keeps up", async () => {
    const { page, ...opened } = await dashboard.open({
      as: dashboard.editor,
      at: "/orders?status=lost",
      width: 1440,
    });
    await page.getByRole("heading", { name: "No order was placed yet" }).waitFor();
    const first = await place({ externalId: "web-1", channel: "storefront" });
    const row = (order: { orderNumber: string }) => page.getByRole("row", { name: order.orderNumber });
    await row(first).getByText("web-1").waitFor();
    await row(first).getByText("Online shop").waitFor();
    await row(first).getByText("USD 65.98").waitFor();
    await place({ currency: "JPY", items: [{ ...MUG, name: HOSTILE, unitPrice: 1234567, taxAmount: 0 }] });
    const third = await place();
    await page.getByRole("button", { name: "2 new orders" }).waitFor();
    expect(await row(third).count()).toBe(0);
    await opened.picture("new-orders");
    // A change of a shown order appears in its row.
    await dashboard.tenant.owner.post(`/v1/orders/${first.id}/cancel`, { reason: "Test" });
    await row(first).getByText("Cancelled").waitFor();
    await page.getByRole("button", { name: "2 new orders" }).click();
    await page.getByText("JPY 3,703,701").waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toBe(third.orderNumber);
    expect(await page.getByRole("button", { name: /new order/ }).count()).toBe(0);
    await opened.picture("orders");

    await page.getByLabel("Search").fill(first.orderNumber);
    await page.waitForURL(/search=/);
    await page.getByText("JPY 3,703,701").waitFor({ state: "detached" });
    await page.getByLabel("Payment").selectOption("Paid");
    await page.getByRole("heading", { name: "No order matches" }).waitFor();
    await page.goBack();
    await row(first).waitFor();
    await page.getByText("More filters").click();
    await page.getByText(/^Times are in /).waitFor();
    await page.getByLabel("From").fill("2031-01-31");
    await page.getByRole("heading", { name: "No order matches" }).waitFor();
    await opened.picture("orders-filtered");
    await page.getByRole("link", { name: "Show all orders" }).click();
    await page.getByText("JPY 3,703,701").waitFor();

    // The way back from an order has the period.
    await press(page, "7 days");
    await page.getByRole("button", { name: "7 days", pressed: true }).waitFor();
    const filters = new URL(page.url()).search;
    expect(new URLSearchParams(filters).get("from")).toBe(await page.getByLabel("From").inputValue());
    await page.getByRole("link", { name: third.orderNumber, exact: true }).click();
    await page.getByRole("button", { name: /Copy the order id$/ }).click();
    await page.getByRole("button", { name: /Copied$/ }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(third.id);
    await page.setViewportSize(PHONE);
    await opened.expectNoSidewaysScroll();
    await enter(page, "All orders");
    await page.waitForURL(`**/orders${filters}`);
  });

  test("an order goes its way, with the keyboard only at 360 px", async () => {
    const { id } = await place({
      items: [MUG, { ...MUG, name: HOSTILE, description: "A line\nand another" }],
      shippingTotal: 4.5,
      discountTotal: 1,
      shippingAddress: {
        line1: "1 Harbour Street",
        city: "Lisbon",
        postalCode: "1100-148",
        door: { level: 7 },
      },
      customerNote: HOSTILE,
      metadata: { basket: "<b>b-77</b>" },
    });
    const { page, ...opened } = await dashboard.open({ as: dashboard.editor, at: `/orders/${id}`, ...PHONE });
    await page.getByText(MUG.name, { exact: true }).waitFor();
    await page.getByText("1100-148 Lisbon").waitFor();
    await opened.picture("order-narrow");
    await enter(page, "Record a payment");
    await dialog(page).getByText("USD 135.46").waitFor();
    await opened.expectNoSidewaysScroll();
    await opened.expectAccessible("record-payment-narrow");
    await tabTo(page, "Amount in USD");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("35");
    await page.keyboard.press("Enter");
    await page.getByText("Paid a part: USD 35.00").waitFor();
    await enter(page, "Record a payment");
    await tabTo(page, "Reference");
    await page.keyboard.type("ch_1");
    await page.keyboard.press("Enter");
    await dialog(page).waitFor({ state: "detached" });
    await page.getByText("Paid USD 100.46 (ch_1)").waitFor();
    // Two of three mugs now, the rest later.
    await enter(page, "Ship");
    await enter(page, /^− one Mug/);
    await tabTo(page, /^− one <img/);
    for (let unit = 0; unit < 3; unit += 1) await page.keyboard.press("Enter");
    await opened.expectNoSidewaysScroll();
    await opened.expectAccessible("ship-narrow");
    await enter(page, "Ship");
    await page.getByText("2 of 3 shipped").waitFor();
    await enter(page, "Ship");
    await tabTo(page, "Carrier");
    await page.keyboard.type("UPS");
    await page.keyboard.press("Enter");
    await page.getByText("Shipped with UPS").waitFor();
    await enter(page, "Deliver");
    await enter(page, "Mark as delivered");
    await page.getByText("Delivered a part").waitFor();
    await enter(page, "Edit parcel");
    await tabTo(page, "Tracking number");
    await page.keyboard.type("1Z9");
    await page.keyboard.press("Enter");
    await page.getByText("Changed the tracking number").waitFor();
    await enter(page, "Mark as delivered");
    await dialog(page).waitFor();
    await enter(page, "Mark as delivered");
    await page.getByText("Delivered", { exact: true }).first().waitFor();
    await opened.picture("order-delivered-narrow");

    await page.setViewportSize({ width: 1280, height: 900 });
    await press(page, "Refund");
    // One mug with a third of the tax of its line.
    await dialog(page)
      .getByRole("button", { name: `+ one ${MUG.name}` })
      .click();
    expect(await dialog(page).getByLabel("Amount in USD").inputValue()).toBe("21.99");
    await dialog(page).getByLabel("Amount in USD").fill("135.47");
    await pressIn(page, "Refund");
    expect(await page.evaluate("document.querySelector('dialog [name=amount]').validationMessage")).toBe(
      "At most USD 135.46.",
    );
    await dialog(page).getByLabel("Amount in USD").fill("0,46");
    await dialog(page).getByLabel("Reason").fill("One was chipped.");
    await opened.picture("refund");
    await pressIn(page, "Refund");
    await page.getByText("is partly refunded.").waitFor();
    await page.getByText("Refunded USD 0.46: One was chipped.").waitFor();
    for (const place of [".totals", ".timeline", "table"])
      await page.locator(`${place} .amount`, { hasText: "USD 0.46" }).first().waitFor();
    await page.getByText("Partly refunded", { exact: true }).waitFor();
    await page.getByText("1 refunded").waitFor();
    await opened.picture("order");

    // What is paid can be cancelled with its refund; why other actions are missing is in the menu.
    const other = await place();
    await dashboard.tenant.key.post(`/v1/orders/${other.id}/payments`, { status: "succeeded" });
    await page.goto(`${dashboard.platform.url}/dashboard/orders/${other.id}`);
    await press(page, "More actions");
    await page.getByText("Cancel order: paid; “Cancel and refund” does both.").waitFor();
    await page.keyboard.press("Escape");
    await press(page, "Cancel and refund");
    await dialog(page).getByText("USD 65.98").waitFor();
    await pressIn(page, "Cancel and refund");
    await page.getByText("is refunded and cancelled.").waitFor();
  });

  test("a change by someone else is shown before anything is done", async () => {
    const { id } = await place({ internalNote: "Call first" });
    const { key } = dashboard.tenant;
    const { page, ...opened } = await dashboard.open({ as: dashboard.editor, at: `/orders/${id}` });
    await press(page, "Ship");
    const unpaid = dialog(page).getByText("This order is not paid");
    await unpaid.waitFor();
    expect(await descriptionOf(dialog(page))).toMatch(/^This order is not paid/);
    await dialog(page).getByLabel("Carrier").fill("UPS");
    await key.post(`/v1/orders/${id}/cancel`, { reason: "Out of stock." });
    await pressIn(page, "Ship");
    await dialog(page).getByText("“Ship” is no longer possible.").waitFor();
    await dialog(page).getByText("Cancelled: Out of stock.").waitFor();
    expect(await unpaid.count()).toBe(0);
    await opened.expectAccessible("order-moved");
    expect(await dialog(page).locator(".dialog-actions button").count()).toBe(1);
    await page.keyboard.press("Escape");
    await press(page, "Discard my changes");

    // The action is still possible. Pressing the button again applies it to the order in its current state.
    const other = await place();
    await page.goto(`${dashboard.platform.url}/dashboard/orders/${other.id}`);
    await press(page, "Cancel order");
    await key.patch(`/v1/orders/${other.id}`, { internalNote: "Customer called" });
    await pressIn(page, "Cancel order");
    await dialog(page).getByText("Changed the internal note").waitFor();
    await pressIn(page, "Cancel order");
    await dialog(page).waitFor({ state: "detached" });

    // A dialog leads to what is possible instead.
    const third = await place();
    await page.goto(`${dashboard.platform.url}/dashboard/orders/${third.id}`);
    await press(page, "Cancel order");
    await key.post(`/v1/orders/${third.id}/payments`, { status: "succeeded" });
    await pressIn(page, "Cancel order");
    await dialog(page).getByText("“Cancel order” is no longer possible.").waitFor();
    await pressIn(page, "Refund");
    await dialog(page)
      .getByRole("heading", { name: /^Refund order/ })
      .waitFor();
    await page.keyboard.press("Escape");

    await press(page, "Edit");
    await dialog(page).getByLabel("Internal note").fill("Mine");
    await dialog(page).getByLabel("City").first().fill("Porto");
    await pressIn(page, "Save");
    await dialog(page).locator(".field-error").waitFor();
    expect(await page.evaluate("document.activeElement.name")).toBe("shippingAddress.line1");
    await opened.picture("edit-order");
    await dialog(page).getByLabel("Street and number").first().fill("2 Quay");
    await key.patch(`/v1/orders/${third.id}`, { internalNote: "Theirs" });
    await pressIn(page, "Save");
    await dialog(page).getByRole("cell", { name: "Theirs" }).waitFor();
    await opened.expectAccessible("order-conflict");
    await pressIn(page, "Save your version");
    await page.getByText("2 Quay").waitFor();
    await page.getByText("Changed the internal note and the shipping address").waitFor();
  });

  test("an order is placed with the keyboard only, at 360 px", async () => {
    const { page } = await dashboard.open({ as: dashboard.editor, at: "/orders", ...PHONE });
    const type = async (label: string, text: string) => {
      await tabTo(page, label);
      await page.keyboard.type(text);
    };
    await enter(page, "Place an order");
    await page.getByRole("heading", { name: "Place an order" }).waitFor();
    await enter(page, /\bAda$/);
    for (const [label, text] of Object.entries({ Name: "Mug", SKU: "M-1" })) await type(label, text);
    await tabTo(page, "Quantity");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("3");
    await type("Unit price", "2");
    await enter(page, "Place order");
    await page.getByRole("heading", { name: /^Order 1/, level: 1 }).waitFor();
    const { body } = await dashboard.tenant.key.get(`/v1/orders/${page.url().split("/").at(-1)}`);
    expect(body.data).toMatchObject({ total: 6, items: [{ name: "Mug", quantity: 3 }] });
  });

  test("an order is placed for a new customer, and faults land on their lines", async () => {
    const { page, ...opened } = await dashboard.open({ as: dashboard.editor, at: "/orders/new" });
    const line = (number: number) => page.getByRole("group", { name: `Item ${number}`, exact: true });
    const fill = async (number: number, values: Record<string, string>) => {
      for (const [label, value] of Object.entries(values))
        await line(number).getByLabel(label, { exact: true }).fill(value);
    };
    await fill(1, { Name: "Mug", SKU: "M-1", Quantity: "3", "Unit price": "0,1", "Tax of the line": "0.1" });
    await press(page, "Add an item");
    await press(page, "Add an item");
    await press(page, "Remove item 2");
    await fill(2, { Name: "Plate", SKU: "P-1", Quantity: "0", "Unit price": "0.2" });
    await press(page, "Place order");
    await page.getByText("Choose who the order is for.").waitFor();
    expect(await page.evaluate("document.activeElement.name")).toBe("search");
    await page.keyboard.type("grace@shop.example");
    await page.getByText("No customer has “grace@shop.example”").waitFor();
    await opened.picture("place-order");
    await press(page, "New customer");
    expect(await dialog(page).getByLabel("E-mail").inputValue()).toBe("grace@shop.example");
    await dialog(page).getByLabel("Name").fill("Grace <b>Hopper</b>");
    await pressIn(page, "Create customer");
    await page.getByText("Grace <b>Hopper</b>").waitFor();

    await page.getByLabel("Discount").fill("0.05");
    await page.getByLabel("Shipping", { exact: true }).fill("1");
    await page.locator(".totals .amount", { hasText: "USD 1.35" }).first().waitFor();
    await press(page, "Place order");
    await line(2).locator(".field-error").waitFor();
    expect(await page.evaluate("document.activeElement.closest('fieldset').innerText")).toMatch(/^Item 2/);
    expect(await page.evaluate("document.activeElement.name")).toBe("quantity");
    await opened.expectAccessible("place-order-fault");
    await page.setViewportSize(PHONE);
    await opened.expectNoSidewaysScroll("place-order-narrow");
    await page.setViewportSize({ width: 1280, height: 800 });
    await line(2).getByLabel("Quantity").fill("1");
    const order = await place({ orderNumber: "TAKEN-1" });
    await page.getByText("Notes, channel and numbers").click();
    await page.getByLabel("Order number").fill(order.orderNumber);

    // The first response is lost. The order must not be placed twice.
    let sent = 0;
    await page.route("**/v1/orders", async (route) => {
      sent += 1;
      await (sent === 2 ? route.fetch().then(() => route.abort()) : route.continue());
    });
    await press(page, "Place order");
    await page.getByText("Another order has this number").waitFor();
    expect(await page.getByRole("link", { name: "Open that order" }).getAttribute("href")).toBe(
      `/dashboard/orders/${order.id}`,
    );
    await page.getByLabel("Order number").fill("");
    await press(page, "Place order");
    await page.getByText("Tradepost cannot be reached").waitFor();
    await press(page, "Place order");
    await page.getByRole("heading", { name: /^Order \d+$/ }).waitFor();
    await page.getByText("USD 1.55").first().waitFor();
    await page.getByRole("link", { name: "Grace <b>Hopper</b>" }).click();
    await page.getByRole("table", { name: "Orders" }).waitFor();
    expect(await page.getByRole("row").count()).toBe(2);
  });

  test("typed text is not lost, and Enter places nothing", async () => {
    const { customerId, key, owner } = dashboard.tenant;
    await owner.patch("/v1/shop", { currency: "EUR" });
    const address = { line1: "7 Hill Road", city: "Porto", country: "PT" };
    await place({
      currency: "EUR",
      shippingAddress: address,
      items: [{ ...MUG, unitPrice: 1, taxAmount: 0 }],
    });
    const { page, ...opened } = await dashboard.open({
      as: dashboard.editor,
      at: `/customers/${customerId}`,
    });
    await page.getByRole("link", { name: "New order for this customer" }).click();
    const currency = page.getByLabel("Currency");
    await until("the shop's currency", async () => (await currency.inputValue()) === "EUR");
    // What the shop has sold lately is suggested, with its price.
    await page.getByRole("button", { name: "Mug, blue", exact: true }).waitFor();
    await page.getByLabel("Name", { exact: true }).first().fill("Mug, blue");
    await page.keyboard.press("Tab");
    expect(await page.getByLabel("SKU").inputValue()).toBe("MUG-1");
    const price = page.getByLabel("Unit price");
    expect(await price.inputValue()).toBe("1.00");
    await price.fill("1.239");
    await page.getByText("An amount like 19.99.").waitFor();
    await page.locator("output", { hasText: "–" }).waitFor();
    await opened.picture("place-order-amount");
    await price.fill("1239,5");
    await page.locator("output").getByText("EUR 1,239.50").waitFor();

    const posts: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/v1/orders")) posts.push(request.url());
    });
    await price.press("Enter");
    await page.getByLabel("Quantity").press("Enter");

    // The address of the customer's last order is filled in, and the one that is chosen.
    expect(await page.getByLabel("City").inputValue()).toBe("Porto");
    await page.getByLabel("City").fill("Lisbon");
    await page.getByLabel("Ship to an address of earlier orders").selectOption({ index: 1 });
    expect(await page.getByLabel("City").inputValue()).toBe("Porto");
    expect(await page.getByLabel("Country").inputValue()).toBe("PT");
    await page.getByLabel("Bill to the same address").uncheck();
    expect(await page.getByRole("group", { name: "Bill to" }).count()).toBe(1);
    await page.getByLabel("Bill to the same address").check();

    const customers = page.getByRole("link", { name: "Customers" });
    for (const leave of [() => customers.click(), () => page.evaluate("history.back()")]) {
      await leave();
      await page.getByRole("heading", { name: "Leave without saving?" }).waitFor();
      await press(page, "Stay here");
      await dialog(page).waitFor({ state: "detached" });
      expect(await price.inputValue()).toBe("1239,5");
    }
    expect(posts).toEqual([]);
    await press(page, "Place order");
    await page.getByRole("heading", { name: /^Order \d+$/ }).waitFor();
    expect(posts).toHaveLength(1);
    const id = page.url().split("/").at(-1);
    const { body } = await key.get(`/v1/orders/${id}`);
    expect(body.data).toMatchObject({
      currency: "EUR",
      total: 1239.5,
      shippingAddress: address,
      billingAddress: address,
    });

    // A dialog: Escape asks, Cancel does not.
    await press(page, "Edit");
    await dialog(page).getByLabel("Internal note").fill("Call first");
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Leave without saving?" }).waitFor();
    await opened.picture("leave-dialog");
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Leave without saving?" }).waitFor({ state: "detached" });
    expect(await dialog(page).getByLabel("Internal note").inputValue()).toBe("Call first");
    await page.keyboard.press("Escape");
    await press(page, "Discard my changes");
    await dialog(page).waitFor({ state: "detached" });
  });

  test("customers are found, created and changed, with the keyboard only at 360 px", async () => {
    const { key } = dashboard.tenant;
    const { body } = await key.post("/v1/customers", {
      name: HOSTILE,
      externalId: "c-204",
      metadata: { a: 1 },
    });
    const { page, ...opened } = await dashboard.open({ at: "/customers", ...PHONE });
    await page.getByText(HOSTILE).first().waitFor();
    await opened.picture("customers-narrow");
    await enter(page, "New customer");
    await tabTo(page, "Name");
    await page.keyboard.type("Again");
    await tabTo(page, "External id");
    await page.keyboard.type("c-204");
    await page.keyboard.press("Enter");
    await dialog(page).getByText("Another customer has this external id").waitFor();
    await enter(page, "Open that customer");
    await enter(page, "Discard my changes");
    await page.getByText("This customer has no order yet.").waitFor();
    expect(new URL(page.url()).pathname).toBe(`/dashboard/customers/${body.data.id}`);
    await opened.picture("customer-narrow");

    await enter(page, "Edit");
    await tabTo(page, "Name");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Grace");
    await key.patch(`/v1/customers/${body.data.id}`, { name: "Theirs" });
    await page.keyboard.press("Enter");
    await dialog(page).getByRole("cell", { name: "Theirs" }).waitFor();
    await opened.expectNoSidewaysScroll();
    await enter(page, "Save your version");
    await page.getByRole("heading", { name: "Grace", exact: true }).waitFor();
    await page.goto(`${dashboard.platform.url}/dashboard/customers?externalId=none`);
    await page.getByRole("heading", { name: "No customer matches" }).waitFor();

    // By a word of the name, however it is written, and by the beginning of the e-mail address.
    const { body: muller } = await key.post("/v1/customers", {
      name: "Jürgen Müller",
      email: "j.mueller@shop.example",
    });
    await page.getByLabel("External id").fill("");
    for (const text of ["muller", "j.muell"]) {
      // The row of the previous text stays until the typing pauses.
      await page.getByLabel("Name, e-mail or phone").fill("nobody");
      await page.getByRole("heading", { name: "No customer matches" }).waitFor();
      await page.getByLabel("Name, e-mail or phone").fill(text);
      await page.getByRole("rowheader", { name: "Jürgen Müller" }).waitFor();
      expect(await page.getByRole("row").count()).toBe(2);
    }
    const { body: placed } = await key.post("/v1/orders", {
      customerId: muller.data.id,
      items: [{ ...MUG, unitPrice: 2, taxAmount: 0 }],
      shippingAddress: { line1: "7 Hill Road", city: "Porto", country: "PT" },
    });
    await enter(page, /Jürgen Müller/);
    const facts = page.getByRole("region", { name: "Orders of this customer" });
    await facts.getByText("USD 6.00").waitFor();
    await facts.getByText("Portugal").waitFor();
    await facts.getByRole("link", { name: placed.data.orderNumber }).waitFor();
    await opened.picture("customer-with-orders-narrow");

    await enter(page, "Erase personal data");
    await tabTo(page, "Type the name to confirm");
    await page.keyboard.type("Jürgen Müller");
    await opened.expectNoSidewaysScroll();
    await page.keyboard.press("Enter");
    await dialog(page).getByRole("heading", { name: "The person is erased" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("This person was erased").waitFor();
    await opened.expectNoSidewaysScroll();
  });

  test("an owner types the name of a person to erase, and nothing can be changed afterwards", async () => {
    const { key } = dashboard.tenant;
    const { body: ada } = await key.post("/v1/customers", {
      name: "Ada Lovelace",
      email: "ada@example.com",
      phone: "+351 555",
    });
    const { id } = ada.data;
    const shippingAddress = { line1: "1 Harbour Street", city: "Lisbon", country: "PT" };
    const order = await place({ customerId: id, shippingAddress, customerNote: "For Ada" });
    const { page, ...opened } = await dashboard.open({ at: `/customers/${id}` });
    await press(page, "Erase personal data");
    await dialog(page).getByRole("heading", { name: "What goes" }).waitFor();
    await dialog(page).getByRole("heading", { name: "What stays" }).waitFor();
    await opened.expectAccessible("erase-customer");
    const name = dialog(page).getByLabel("Type the name to confirm");
    await name.fill("Ada");
    await press(page, "Erase for good");
    await dialog(page).getByText("This is another name.").waitFor();
    expect(await name.getAttribute("aria-invalid")).toBe("true");
    const { body } = await key.get(`/v1/customers/${id}`);
    expect(body.data.erasedAt).toBeUndefined();

    await refuseOnce(page, `/v1/customers/${id}/erasure`, { status: 403, code: "forbidden" });
    await name.fill("Ada Lovelace");
    await press(page, "Erase for good");
    await dialog(page).getByRole("alert").waitFor();
    await press(page, "Erase for good");
    await dialog(page).getByRole("heading", { name: "The person is erased" }).waitFor();
    await dialog(page)
      .getByText(/^Finished\. Records changed: \d+\.$/)
      .waitFor();
    await opened.picture("erased-dialog");
    await press(page, "Close");
    await page.getByRole("heading", { name: "Erased customer" }).waitFor();
    await page.getByText("This person was erased").waitFor();
    for (const gone of ["Erase personal data", "Edit"])
      expect(await page.getByRole("button", { name: gone, exact: true }).count()).toBe(0);
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
});
