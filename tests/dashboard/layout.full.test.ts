// On all screens, columns, names of any length, the navigation and dialogs stay in their place and frame, and each role is offered only
// what it may do.
import { until } from "@tradepost/testing";
import type { Page } from "playwright-core";
import { describeWithBrowser } from "../support/browser.ts";
import { type Dashboard, useDashboard } from "./support/dashboard.ts";
import { heading } from "./support/places.ts";
import { deliveries, made, upload } from "./support/shop.ts";
import * as user from "./support/user.ts";

describeWithBrowser("the layout of the dashboard in a browser (if there is one)", () => {
  const dashboard = useDashboard();
  let at: Paths;
  beforeAll(async () => {
    at = await fillWithLongNames(dashboard);
  });

  /** Goes to another screen without loading the page again. Its heading then has the focus. */
  const visit = async (page: Page, path: string) => {
    await page.evaluate(`document.activeElement.blur(), history.pushState({}, "", "/dashboard${path}")`);
    await until(`the end of all reads of ${path}`, async () => {
      const isShown = await page.evaluate("document.activeElement.matches('h1')");
      return isShown && (await page.getByText("Loading…").count()) === 0;
    });
  };

  test("columns stay in their places while the times in them change, and the navigation and a long dialog in view", async () => {
    const { customerId, key } = dashboard.tenant;
    const items = [{ sku: "MUG-1", name: "Mug", quantity: 1, unitPrice: 2 }];
    for (let order = 0; order < 3; order += 1) await key.post("/v1/orders", { customerId, items });
    const { page } = await dashboard.open();
    await page.clock.install();
    await user.goTo(page, "/orders", page.getByRole("link", { name: "Ada" }).first());
    const columns = `[...document.querySelectorAll("thead th")].map((one) => one.getBoundingClientRect().left)`;
    const before = await page.evaluate(columns);
    for (const [by, text] of [
      ["02:00", "2 minutes ago"],
      ["45:00", "47 minutes ago"],
      ["03:00:00", "4 hours ago"],
      ["23:00:00", "yesterday"],
    ] as const) {
      await page.clock.fastForward(by);
      await user.see(page, page.getByText(text).first());
      expect({ text, columns: await page.evaluate(columns) }).toEqual({ text, columns: before });
    }

    await page.setViewportSize({ width: 1280, height: 720 });
    const hidden = `[...document.querySelectorAll(".side :is(a, button)")]
      .filter((one) => one.checkVisibility() && one.getBoundingClientRect().bottom > innerHeight).length`;
    expect(await page.evaluate(hidden)).toBe(0);
    const below = `(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector(".side-areas"))`;
    expect(await page.evaluate(below)).toBeLessThanOrEqual(0);

    await page.setViewportSize({ width: 390, height: 500 });
    await user.goTo(page, "/ai-integrations?create=true");
    const dialog = page.getByRole("dialog");
    await user.see(page, dialog.getByRole("button", { name: "Cancel" }));
    expect(await dialog.evaluate((one) => one.scrollHeight > one.clientHeight)).toBe(true);
    expect(await dialog.getByRole("button", { name: "Cancel" }).isVisible()).toBe(true);
    // The actions stay within the round corners.
    const hits = (inside: number) => `(() => {
      const { left, right, bottom } = document.querySelector("dialog").getBoundingClientRect();
      return [left + ${inside}, right - ${inside}].map((x) =>
        document.elementFromPoint(x, bottom - ${inside})?.closest(".dialog-actions") !== null);
    })()`;
    expect(await page.evaluate(hits(8))).toEqual([true, true]);
    expect(await page.evaluate(hits(2))).toEqual([false, false]);
  });

  test("every screen fits into its window and is accessible, however long a name without blanks is", async () => {
    const { page, ...opened } = await dashboard.open({}, heading(LONG.slice(300)));
    const faults: string[] = [];
    for (const path of screensAt(at)) {
      await visit(page, path);
      for (const width of [360, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        for (const found of [TOO_WIDE, TOO_SMALL, OVERLAPPING])
          for (const fault of await page.evaluate<string[]>(found))
            faults.push(`${path} at ${width}: ${fault}`);
      }
      await opened.expectAccessible();
    }
    expect(faults).toEqual([]);
    await visit(page, "/customers");
    const cut = page.getByRole("link", { name: LONG });
    await cut.hover();
    expect(await cut.getAttribute("title")).toBe(LONG);
    await opened.close();
  });

  test("a role is offered what it may do, and reads why it is not offered more", async () => {
    const { owner } = dashboard.tenant;
    const isOpen = async () => (await owner.get("/v1/notices?open=true")).body.data.length === 2;
    await until("the notices of an endpoint that fails, and of its deliveries", isOpen);
    for (const role of ["viewer", "editor"] as const) {
      const { page } = await dashboard.open({
        as: role === "editor" ? dashboard.editor : await dashboard.addStaff(role),
        at: "/guides/use-the-api",
      });
      await user.see(page, "an admin can create another");
      for (const { path, form = "", offers, why } of offersAt(at)) {
        const expected = offers[role] ?? [];
        await visit(page, `${path}${expected.length === 0 ? form : ""}`);
        if (why !== undefined && expected.length === 0) {
          await user.see(page, why, `You are signed in as ${role}.`);
        }
        await until(`what ${path} offers a ${role}`, async () => {
          const offered = await page.evaluate<string[]>(OFFERED);
          return offered.length >= expected.length;
        });
        const offered = await page.evaluate<string[]>(OFFERED);
        expect({ role, path, offered }).toEqual({ role, path, offered: expected });
        expect(await page.getByRole("dialog").count()).toBe(0);
      }
      expect(await page.getByLabel("Currency").isDisabled()).toBe(true);
      if (role === "editor") continue;
      await visit(page, "/console");
      await user.see(page, "You are signed in as viewer.");
      expect(await page.evaluate(OFFERED)).toEqual([]);
      expect((await owner.get("/v1/webhooks/listeners")).body.data).toEqual([]);
    }

    const { page } = await dashboard.open({ as: await dashboard.addStaff("admin"), at: "/shop" });
    await user.see(page, "An owner activates them.");
    expect(await page.evaluate(OFFERED)).toEqual(["Save"]);
    await user.follow(page, "Staff");
    await user.follow(page, "Test Shop owner", "Only an owner may manage an owner", "What this person did");
    expect(await page.evaluate(OFFERED)).toEqual([]);
    await user.follow(page, "All staff");
    await user.press(page, "Add a person");
    expect(await page.getByRole("radio").count()).toBe(3);
  });
});

/** Lists by how many pixels the page, or a table in its frame, is too wide. The ledger scrolls. */
const TOO_WIDE = `[
  ["page", document.documentElement.scrollWidth - innerWidth],
  ...[...document.querySelectorAll(".table-frame:not(.ledger > *)")].map((frame) =>
    [frame.querySelector("caption").textContent, frame.scrollWidth - frame.clientWidth]),
].filter(([, pixels]) => pixels > 0).map((one) => one.join(" is too wide by "))`;

/** Links outside sentences that a finger may miss. */
const TOO_SMALL = `[...document.querySelectorAll("#content :is(.cut > a, .facts dd > a, .facts dd > p > a)")]
  .filter((link) => link.checkVisibility() && link.getBoundingClientRect().height < 24)
  .map((link) => link.outerHTML)`;

/** Rows with two cells in one place. */
const OVERLAPPING = `[...document.querySelectorAll("tbody > tr")].filter((row) => {
  const cells = [...row.children].filter((cell) => cell.checkVisibility()).map((cell) => cell.getBoundingClientRect());
  return cells.some((one, index) => cells.slice(index + 1).some((other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1));
}).map((row) => row.outerHTML)`;

const LONG = "x".repeat(500);

/** Fills a shop with the longest names that each service takes. */
async function fillWithLongNames(dashboard: Dashboard) {
  const { key, owner } = dashboard.tenant;
  const idOf = async (response: Promise<{ status: number; body: { data: { id: string } } }>) =>
    (await made(response)).id;
  const name = LONG.slice(300);
  await owner.patch("/v1/shop", { name, address: { line1: LONG.slice(245), city: LONG.slice(245) } });
  const email = `${"m".repeat(60)}@${"e".repeat(60)}.example`;
  const code = LONG.slice(245);
  const customerId = await idOf(
    key.post("/v1/customers", { name: LONG, email, phone: "1".repeat(50), externalId: code }),
  );
  const address = { name: LONG, line1: LONG, line2: LONG, city: code, postalCode: code, country: code };
  const orderId = await idOf(
    key.post("/v1/orders", {
      customerId,
      orderNumber: LONG.slice(436),
      externalId: code,
      items: [{ sku: code, name: LONG, quantity: 20_000, unitPrice: 3.1234, description: LONG }],
      shippingAddress: address,
      billingAddress: address,
      customerNote: LONG,
      internalNote: LONG,
    }),
  );
  await key.post(`/v1/orders/${orderId}/payments`, { status: "failed", reference: code });
  await key.post(`/v1/orders/${orderId}/fulfill`, { carrier: code, trackingNumber: code });
  await owner.post("/v1/api-keys", { label: name, scopes: ["read:crm", "write:crm", "read:content"] });
  const userId = await idOf(owner.post("/v1/users", { email, name, role: "admin" }));
  const subscriptionId = await idOf(
    owner.post("/v1/webhooks/subscriptions", {
      name,
      url: `https://127.0.0.1:1/${LONG}`,
      events: ["redirect.added", "content.entry.published", "media.uploaded"],
      headers: { [`x-${LONG.slice(440)}`]: LONG },
      filter: { fromPrefix: [`/${LONG}`] },
    }),
  );
  const fields = ["text", "richtext"].map((type) => ({ key: `${type}${LONG.slice(450)}`, type }));
  const type = LONG.slice(436);
  expect((await owner.put(`/v1/content-types/${type}`, { name, fields })).status).toBeLessThan(300);
  const data = Object.fromEntries(fields.map((field) => [field.key, LONG]));
  const entryId = await idOf(key.post("/v1/entries", { type, slug: name, data }));
  expect((await key.post(`/v1/entries/${entryId}/publish`, {})).status).toBe(200);
  const text = new Blob(["text"], { type: "text/plain" });
  const mediaId = await upload(dashboard, `${LONG.slice(260)}.txt`, text);
  await idOf(key.post("/v1/redirects", { from: `/${LONG}`, to: `https://shop.example/${LONG}` }));
  const [delivery] = await deliveries(dashboard.tenant, "type=redirect.added&status=retrying");
  return { customerId, orderId, userId, subscriptionId, entryId, mediaId, type, delivery };
}

type Paths = Awaited<ReturnType<typeof fillWithLongNames>>;

function screensAt(at: Paths): string[] {
  return [
    "/ai-integrations",
    "/reports",
    "/orders",
    "/orders/new",
    "/",
    `/orders/new?customerId=${at.customerId}`,
    "/orders/import",
    `/orders/${at.orderId}`,
    `/orders?search=${LONG.slice(420)}`,
    "/customers",
    `/customers/${at.customerId}`,
    "/entries",
    `/entries/new?type=${at.type}`,
    `/entries/${at.entryId}`,
    "/content-types",
    `/content-types/${at.type}`,
    "/media",
    `/media/${at.mediaId}`,
    "/redirects",
    "/webhooks",
    "/webhooks/event-types",
    `/webhooks/${at.subscriptionId}`,
    `/webhooks/${at.subscriptionId}/ledger`,
    "/deliveries",
    `/deliveries/${at.delivery.id}`,
    "/events",
    `/events/${at.delivery.eventId}`,
    "/notices",
    "/shop",
    "/staff",
    `/staff/${at.userId}`,
    "/audit-log",
    "/requests",
    "/usage",
    ...["receive-webhooks", "use-the-api", "read-the-feed", "connect-an-assistant"].flatMap((guide) => [
      "/guides",
      `/guides/${guide}`,
    ]),
    "/account",
    `/${LONG}`,
  ];
}

/** The screen's buttons, except the ones that change nothing. */
const OFFERED = `[...document.querySelectorAll("#content :is(button, a.button)")]
  .map((one) => (one.innerText || one.textContent).replace(/x{9,}.*/, "…").replace(/\\s+/g, " ").trim())
  .filter((name) => !/^$|^The request behind|Copy |^Export$|^For |^Print |^Today$|days$|^\\d+ \\w+ \\d+$/.test(name))`;

interface Offer {
  readonly path: string;
  /** The search parameters of a form, for roles that are not offered it. */
  readonly form?: string;
  readonly offers: { readonly viewer?: readonly string[]; readonly editor?: readonly string[] };
  /** The text for a role that is offered nothing. */
  readonly why?: string;
}

/** The screens on which roles differ. */
function offersAt(at: Paths): Offer[] {
  const editor = (path: string, ...offered: string[]) => ({ path, offers: { editor: offered } });
  const admin = (path: string, why?: string, form?: string) => ({
    ...{ path, offers: {} },
    ...(why !== undefined && { why }),
    ...(form !== undefined && { form }),
  });
  const role = "This is for the roles";
  return [
    editor("/orders", "Import", "Place an order"),
    editor(
      `/orders/${at.orderId}`,
      ...["Record a payment", "Mark as delivered", "Edit", "New order for this customer", "Edit parcel"],
    ),
    editor("/customers", "New customer"),
    editor(`/customers/${at.customerId}`, "New order for this customer", "Edit"),
    { ...editor("/entries", "New entry"), why: "You see entries and cannot change them" },
    {
      ...editor(`/entries/${at.entryId}`, "Edit draft", "Unpublish", "Delete"),
      ...{ form: "?edit=true", why: "You see entries and cannot change them" },
    },
    editor("/media", "Upload files"),
    editor(
      `/media/${at.mediaId}`,
      ...["Delete", "Make a link", "End all links", "Change the alternative text"],
    ),
    { ...editor("/redirects", "Add many", "Add redirect", "Edit the redirect from /…"), form: "?add=true" },
    editor("/notices", "Acknowledge …", "Acknowledge …"),
    admin("/content-types", "You see the types and cannot change them", "?add=article"),
    admin(`/content-types/${at.type}`, role, "?edit=true"),
    admin("/webhooks", "You see the subscriptions and cannot change them", "?create=true"),
    admin(`/webhooks/${at.subscriptionId}`, "You see the subscriptions and cannot change them"),
    admin(`/webhooks/${at.subscriptionId}/ledger`),
    admin(`/deliveries/${at.delivery.id}`),
    admin("/staff", role),
    admin("/shop", "Only administrators change these settings"),
  ];
}
