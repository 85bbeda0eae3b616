// Orders and customers in the dashboard: finding and placing orders, actions on them, and erasing a person.
import { until } from "@tradepost/testing";
import { describeWithBrowser } from "../support/browser.ts";
import { descriptionOf, PHONE, refuseOnce, useDashboard } from "./support/dashboard.ts";
import { dialog, exactly, firstOf, gone, heading, inDialog, title } from "./support/places.ts";
import * as shop from "./support/shop.ts";
import * as user from "./support/user.ts";

const HOSTILE = `<img src=x onerror="document.title='stolen'"> ${"w".repeat(200)} evil 🧑‍🚀`;
const MUG = { sku: "MUG-1", name: "Mug, blue", quantity: 3, unitPrice: 19.9925, taxAmount: 6 };

describeWithBrowser("orders and customers in a browser (if there is one)", () => {
  const dashboard = useDashboard();

  const place = (more: object = {}) => shop.place(dashboard.tenant, { items: [MUG], ...more });

  test("orders are found by filters in the address, and the list keeps up", async () => {
    const { page } = await dashboard.open({ as: dashboard.editor, at: "/orders?status=lost", width: 1440 });
    await user.see(page, heading("No order was placed yet"));
    const first = await place({ externalId: "web-1", channel: "storefront" });
    const row = (order: { orderNumber: string }) => page.getByRole("row", { name: order.orderNumber });
    await user.see(page, row(first).getByText("web-1"), row(first).getByText("Online shop"));
    await user.see(page, row(first).getByText("USD 65.98"));
    await place({ currency: "JPY", items: [{ ...MUG, name: HOSTILE, unitPrice: 1234567, taxAmount: 0 }] });
    const third = await place();
    await user.see(page, page.getByRole("button", { name: "2 new orders" }));
    expect(await row(third).count()).toBe(0);
    // A change of a shown order appears in its row.
    await dashboard.tenant.owner.post(`/v1/orders/${first.id}/cancel`, { reason: "Test" });
    await user.see(page, row(first).getByText("Cancelled"));
    await user.click(page.getByRole("button", { name: "2 new orders" }), "JPY 3,703,701");
    expect(await page.evaluate("document.activeElement.textContent")).toBe(third.orderNumber);
    expect(await page.getByRole("button", { name: /new order/ }).count()).toBe(0);

    await page.getByLabel("Search").fill(first.orderNumber);
    await page.waitForURL(/search=/);
    await user.see(page, gone("JPY 3,703,701"));
    await user.choose(page, { Payment: "Paid" }, heading("No order matches"));
    await user.back(page, row(first));
    await user.click(page.getByText("More filters"), /^Times are in /);
    await user.fill(page, { From: "2031-01-31" }, heading("No order matches"));
    await user.follow(page, "Show all orders", "JPY 3,703,701");

    // The way back from an order keeps the period.
    await user.press(page, "7 days", page.getByRole("button", { name: "7 days", pressed: true }));
    const filters = new URL(page.url()).search;
    expect(new URLSearchParams(filters).get("from")).toBe(await page.getByLabel("From").inputValue());
    await page.getByRole("link", { name: third.orderNumber, exact: true }).click();
    await page.getByRole("button", { name: /Copy the order id$/ }).click();
    await user.see(page, page.getByRole("button", { name: /Copied$/ }));
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(third.id);
    await page.setViewportSize(PHONE);
    await user.enter(page, "All orders");
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
    await user.see(page, page.getByText(MUG.name, { exact: true }), "1100-148 Lisbon");
    await user.enter(page, "Record a payment", inDialog("USD 135.46"));
    await opened.expectAccessible();
    await user.enterAt(page, "Amount in USD", "35", "Paid a part: USD 35.00");
    await user.enter(page, "Record a payment");
    await user.enterAt(page, "Reference", "ch_1", gone(dialog(page)), "Paid USD 100.46 (ch_1)");
    // Ships two of three mugs now, the rest later.
    await user.enter(page, "Ship");
    await user.enter(page, /^− one Mug/);
    await user.tabTo(page, /^− one <img/);
    for (let unit = 0; unit < 3; unit += 1) await page.keyboard.press("Enter");
    await user.see(page, dialog);
    await opened.expectAccessible();
    await user.enter(page, "Ship", "2 of 3 shipped");
    await user.enter(page, "Ship");
    await user.enterAt(page, "Carrier", "UPS", "Shipped with UPS");
    await user.enter(page, "Deliver");
    await user.enter(page, "Mark as delivered", "Delivered a part");
    await user.enter(page, "Edit parcel");
    await user.enterAt(page, "Tracking number", "1Z9", "Changed the tracking number");
    await user.enter(page, "Mark as delivered", dialog(page));
    await user.enter(page, "Mark as delivered", page.getByText("Delivered", { exact: true }).first());

    await page.setViewportSize({ width: 1280, height: 900 });
    await user.press(page, "Refund");
    // Refunds one mug with a third of its line's tax.
    await dialog(page)
      .getByRole("button", { name: `+ one ${MUG.name}` })
      .click();
    expect(await dialog(page).getByLabel("Amount in USD").inputValue()).toBe("21.99");
    await dialog(page).getByLabel("Amount in USD").fill("135.47");
    await user.pressIn(page, "Refund");
    expect(await page.evaluate("document.querySelector('dialog [name=amount]').validationMessage")).toBe(
      "At most USD 135.46.",
    );
    await user.fill(dialog(page), { "Amount in USD": "0,46", Reason: "One was chipped." });
    await user.pressIn(page, "Refund", "is partly refunded.", "Refunded USD 0.46: One was chipped.");
    for (const place of [".totals", ".timeline", "table"])
      await page.locator(`${place} .amount`, { hasText: "USD 0.46" }).first().waitFor();
    await user.see(page, exactly("Partly refunded"), "1 refunded");

    // A paid order can be cancelled with a refund; the menu says why other actions are missing.
    const other = await place();
    await dashboard.tenant.key.post(`/v1/orders/${other.id}/payments`, { status: "succeeded" });
    await user.goTo(page, `/orders/${other.id}`);
    await user.press(page, "More actions", "Cancel order: paid; “Cancel and refund” does both.");
    await page.keyboard.press("Escape");
    await user.press(page, "Cancel and refund", inDialog("USD 65.98"));
    await user.pressIn(page, "Cancel and refund", "is refunded and cancelled.");
  });

  test("a change by someone else is shown before anything is done", async () => {
    const { id } = await place({ internalNote: "Call first" });
    const { key } = dashboard.tenant;
    const { page, ...opened } = await dashboard.open({ as: dashboard.editor, at: `/orders/${id}` });
    await user.press(page, "Ship");
    const unpaid = dialog(page).getByText("This order is not paid");
    await user.see(page, unpaid);
    expect(await descriptionOf(dialog(page))).toMatch(/^This order is not paid/);
    await dialog(page).getByLabel("Carrier").fill("UPS");
    await key.post(`/v1/orders/${id}/cancel`, { reason: "Out of stock." });
    await user.pressIn(page, "Ship", inDialog("“Ship” is no longer possible."));
    await user.see(page, inDialog("Cancelled: Out of stock."));
    expect(await unpaid.count()).toBe(0);
    await opened.expectAccessible();
    expect(await dialog(page).locator(".dialog-actions button").count()).toBe(1);
    await page.keyboard.press("Escape");
    await user.press(page, "Discard my changes");

    // The action is still possible. Pressing the button again applies it to the order in its current state.
    const other = await place();
    await user.goTo(page, `/orders/${other.id}`);
    await user.press(page, "Cancel order");
    await key.patch(`/v1/orders/${other.id}`, { internalNote: "Customer called" });
    await user.pressIn(page, "Cancel order", inDialog("Changed the internal note"));
    await user.pressIn(page, "Cancel order", gone(dialog(page)));

    // A dialog leads to the action that is possible instead.
    const third = await place();
    await user.goTo(page, `/orders/${third.id}`);
    await user.press(page, "Cancel order");
    await key.post(`/v1/orders/${third.id}/payments`, { status: "succeeded" });
    await user.pressIn(page, "Cancel order", inDialog("“Cancel order” is no longer possible."));
    await user.pressIn(page, "Refund", dialog(page).getByRole("heading", { name: /^Refund order/ }));
    await page.keyboard.press("Escape");

    await user.press(page, "Edit");
    await dialog(page).getByLabel("Internal note").fill("Mine");
    await dialog(page).getByLabel("City").first().fill("Porto");
    await user.pressIn(page, "Save", dialog(page).locator(".field-error"));
    expect(await page.evaluate("document.activeElement.name")).toBe("shippingAddress.line1");
    await dialog(page).getByLabel("Street and number").first().fill("2 Quay");
    await key.patch(`/v1/orders/${third.id}`, { internalNote: "Theirs" });
    await user.pressIn(page, "Save", dialog(page).getByRole("cell", { name: "Theirs" }));
    await opened.expectAccessible();
    await user.pressIn(
      page,
      "Save your version",
      "2 Quay",
      "Changed the internal note and the shipping address",
    );
  });

  test("an order is placed with the keyboard only, at 360 px", async () => {
    const { page } = await dashboard.open({ as: dashboard.editor, at: "/orders", ...PHONE });
    await user.enter(page, "Place an order", heading("Place an order"));
    await user.enter(page, /\bAda$/);
    for (const [label, text] of Object.entries({ Name: "Mug", SKU: "M-1", Quantity: "3", "Unit price": "2" }))
      await user.typeAt(page, label, text);
    await user.enter(page, "Place order", title(/^Order 1/));
    const { body } = await dashboard.tenant.key.get(`/v1/orders/${page.url().split("/").at(-1)}`);
    expect(body.data).toMatchObject({ total: 6, items: [{ name: "Mug", quantity: 3 }] });
  });

  test("an order is placed for a new customer, and faults land on their lines", async () => {
    const { page, ...opened } = await dashboard.open({ as: dashboard.editor, at: "/orders/new" });
    const line = (number: number) => page.getByRole("group", { name: `Item ${number}`, exact: true });
    await user.fillExactly(line(1), {
      Name: "Mug",
      SKU: "M-1",
      Quantity: "3",
      "Unit price": "0,1",
      "Tax of the line": "0.1",
    });
    await user.press(page, "Add an item");
    await user.press(page, "Add an item");
    await user.press(page, "Remove item 2");
    await user.fillExactly(line(2), { Name: "Plate", SKU: "P-1", Quantity: "0", "Unit price": "0.2" });
    await user.press(page, "Place order", "Choose who the order is for.");
    expect(await page.evaluate("document.activeElement.name")).toBe("search");
    await page.keyboard.type("grace@shop.example");
    await user.see(page, "No customer has “grace@shop.example”");
    await user.press(page, "New customer");
    expect(await dialog(page).getByLabel("E-mail").inputValue()).toBe("grace@shop.example");
    await dialog(page).getByLabel("Name").fill("Grace <b>Hopper</b>");
    await user.pressIn(page, "Create customer", "Grace <b>Hopper</b>");

    await page.getByLabel("Discount").fill("0.05");
    await page.getByLabel("Shipping", { exact: true }).fill("1");
    await user.see(page, page.locator(".totals .amount", { hasText: "USD 1.35" }).first());
    await user.press(page, "Place order", line(2).locator(".field-error"));
    expect(await page.evaluate("document.activeElement.closest('fieldset').innerText")).toMatch(/^Item 2/);
    expect(await page.evaluate("document.activeElement.name")).toBe("quantity");
    await opened.expectAccessible();
    await opened.expectFitsPhone();
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
    await user.press(page, "Place order", "Another order has this number");
    expect(await user.hrefOf(page, "Open that order")).toBe(`/dashboard/orders/${order.id}`);
    await page.getByLabel("Order number").fill("");
    await user.press(page, "Place order", "Tradepost cannot be reached");
    await user.press(page, "Place order", heading(/^Order \d+$/), firstOf("USD 1.55"));
    await user.follow(page, "Grace <b>Hopper</b>", page.getByRole("table", { name: "Orders" }));
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
    const { page } = await dashboard.open({ as: dashboard.editor, at: `/customers/${customerId}` });
    await user.follow(page, "New order for this customer");
    const currency = page.getByLabel("Currency");
    await until("the shop's currency", async () => (await currency.inputValue()) === "EUR");
    // Items that the shop has sold lately are suggested, with their prices.
    await user.see(page, page.getByRole("button", { name: "Mug, blue", exact: true }));
    await page.getByLabel("Name", { exact: true }).first().fill("Mug, blue");
    await page.keyboard.press("Tab");
    expect(await page.getByLabel("SKU").inputValue()).toBe("MUG-1");
    const price = page.getByLabel("Unit price");
    expect(await price.inputValue()).toBe("1.00");
    await price.fill("1.239");
    await user.see(page, "An amount like 19.99.", page.locator("output", { hasText: "–" }));
    await price.fill("1239,5");
    await user.see(page, page.locator("output").getByText("EUR 1,239.50"));

    const posts: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/v1/orders")) posts.push(request.url());
    });
    await price.press("Enter");
    await page.getByLabel("Quantity").press("Enter");

    // The form has the address of the customer's last order, or the chosen one.
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
      await user.see(page, heading("Leave without saving?"));
      await user.press(page, "Stay here", gone(dialog(page)));
      expect(await price.inputValue()).toBe("1239,5");
    }
    expect(posts).toEqual([]);
    await user.press(page, "Place order", heading(/^Order \d+$/));
    expect(posts).toHaveLength(1);
    const id = page.url().split("/").at(-1);
    const { body } = await key.get(`/v1/orders/${id}`);
    expect(body.data).toMatchObject({
      currency: "EUR",
      total: 1239.5,
      shippingAddress: address,
      billingAddress: address,
    });

    // In a dialog with edits, Escape asks first.
    await user.press(page, "Edit");
    await dialog(page).getByLabel("Internal note").fill("Call first");
    await user.key(page, "Escape", heading("Leave without saving?"));
    await user.key(page, "Escape", gone(heading("Leave without saving?")));
    expect(await dialog(page).getByLabel("Internal note").inputValue()).toBe("Call first");
    await page.keyboard.press("Escape");
    await user.press(page, "Discard my changes", gone(dialog(page)));
  });

  test("customers are found, created and changed, with the keyboard only at 360 px", async () => {
    const { key } = dashboard.tenant;
    const { body } = await key.post("/v1/customers", {
      name: HOSTILE,
      externalId: "c-204",
      metadata: { a: 1 },
    });
    const { page } = await dashboard.open({ at: "/customers", ...PHONE });
    await user.see(page, page.getByText(HOSTILE).first());
    await user.enter(page, "New customer");
    await user.typeAt(page, "Name", "Again");
    await user.enterAt(page, "External id", "c-204", inDialog("Another customer has this external id"));
    await user.enter(page, "Open that customer");
    await user.enter(page, "Discard my changes", "This customer has no order yet.");
    expect(new URL(page.url()).pathname).toBe(`/dashboard/customers/${body.data.id}`);

    await user.enter(page, "Edit");
    await user.typeAt(page, "Name", "Grace");
    await key.patch(`/v1/customers/${body.data.id}`, { name: "Theirs" });
    await user.key(page, "Enter", dialog(page).getByRole("cell", { name: "Theirs" }));
    await user.enter(page, "Save your version", heading("Grace"));
    await user.goTo(page, "/customers?externalId=none", heading("No customer matches"));

    // Finds the customer by a word of the name, without its accents, and by the beginning of the e-mail address.
    const { body: muller } = await key.post("/v1/customers", {
      name: "Jürgen Müller",
      email: "j.mueller@shop.example",
    });
    await page.getByLabel("External id").fill("");
    for (const text of ["muller", "j.muell"]) {
      // The row of the previous text stays until the typing pauses.
      await user.fill(page, { "Name, e-mail or phone": "nobody" }, heading("No customer matches"));
      await page.getByLabel("Name, e-mail or phone").fill(text);
      await user.see(page, page.getByRole("rowheader", { name: "Jürgen Müller" }));
      expect(await page.getByRole("row").count()).toBe(2);
    }
    const { body: placed } = await key.post("/v1/orders", {
      customerId: muller.data.id,
      items: [{ ...MUG, unitPrice: 2, taxAmount: 0 }],
      shippingAddress: { line1: "7 Hill Road", city: "Porto", country: "PT" },
    });
    await user.enter(page, /Jürgen Müller/);
    const facts = page.getByRole("region", { name: "Orders of this customer" });
    await user.see(page, facts.getByText("USD 6.00"), facts.getByText("Portugal"));
    await user.see(page, facts.getByRole("link", { name: placed.data.orderNumber }));

    await user.enter(page, "Erase personal data", dialog);
    await user.typeAt(page, "Type the name to confirm", "Jürgen Müller");
    await user.key(page, "Enter", dialog(page).getByRole("heading", { name: "The person is erased" }));
    await user.key(page, "Escape", "This person was erased");
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
    await user.press(page, "Erase personal data", dialog(page).getByRole("heading", { name: "What goes" }));
    await user.see(page, dialog(page).getByRole("heading", { name: "What stays" }));
    await opened.expectAccessible();
    const name = dialog(page).getByLabel("Type the name to confirm");
    await name.fill("Ada");
    await user.press(page, "Erase for good", inDialog("This is another name."));
    expect(await name.getAttribute("aria-invalid")).toBe("true");
    const { body } = await key.get(`/v1/customers/${id}`);
    expect(body.data.erasedAt).toBeUndefined();

    await refuseOnce(page, `/v1/customers/${id}/erasure`, { status: 403, code: "forbidden" });
    await name.fill("Ada Lovelace");
    await user.press(page, "Erase for good", dialog(page).getByRole("alert"));
    await user.press(page, "Erase for good", heading("The person is erased"));
    await user.see(page, inDialog(/^Finished\. Records changed: \d+\.$/));
    await user.press(page, "Close", heading("Erased customer"), "This person was erased");
    for (const absent of ["Erase personal data", "Edit"])
      expect(await page.getByRole("button", { name: absent, exact: true }).count()).toBe(0);
    expect(await page.getByRole("link", { name: "Place an order for them" }).count()).toBe(0);
    await user.see(page, gone("Harbour"));
    expect(await page.content()).not.toContain("ada@example.com");

    await page.getByRole("rowheader").getByRole("link", { name: order.orderNumber }).click();
    await user.see(page, heading(`Order ${order.orderNumber}`), exactly("Portugal"));
    expect(await page.content()).not.toContain("Harbour");
  });
});
