// GET /v1/orders/export and GET /v1/customers/export (interface §19).
import { randomUUID } from "node:crypto";
import { invalidFields } from "@tradepost/testing";
import { sql } from "kysely";
import { insertOrders } from "./support/insert-orders.ts";
import { ownTestOrders } from "./support/test-orders.ts";

const HEADER =
  "id,orderNumber,externalId,createdAt,status,paymentStatus,customerId,customerName,customerEmail,currency,sku,name,quantity,unitPrice,lineSubtotal,lineTax,subtotal,shippingTotal,discountTotal,taxTotal,total,placedAt,channel,paidTotal,refundedTotal,amountDue,customerPhone,trackingNumber,carrier,shippingName,shippingLine1,shippingLine2,shippingPostalCode,shippingCity,shippingRegion,shippingCountry";
// More than one page.
const MANY = 600;

const orders = await ownTestOrders();
const shop = await orders.openShop();

const exported = async (path: string, client = shop.client) => {
  const { status, text, headers } = await client.get(path);
  expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
  return { text, headers };
};
const ndjson = async (path: string) =>
  (await exported(path)).text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

describe("an export of orders", () => {
  test("as CSV has a line for each order line, and cells that no spreadsheet computes", async () => {
    const own = await orders.openShop();
    const person = { name: '=HYPERLINK("x"), Ltd', email: "a@example.com", phone: "+351 1" };
    const customerId = (await own.client.post("/v1/customers", person)).body.data.id;
    const items = [
      { sku: "A-1", name: "Mug\u00e9, blue", quantity: 2, unitPrice: 0.3333, taxAmount: 0.1 },
      { sku: "-B", name: "@cup" },
    ];
    const shippingAddress = { line1: "1 Harbour St", city: "Lisbon", country: "PT", line2: { floor: 1.0 } };
    const body = { customerId, items, externalId: "+1", shippingTotal: 1, shippingAddress };
    const { data } = (await own.client.post("/v1/orders", body)).body;
    const { text, headers } = await exported("/v1/orders/export?format=csv", own.client);
    const start = `${data.id},1001,'+1,${data.createdAt},placed,unpaid,${data.customerId},"'=HYPERLINK(""x""), Ltd",a@example.com,USD,`;
    const end = `admin,0,0,1.77,'+351 1,,,,1 Harbour St,"{""floor"":1}",,Lisbon,,PT`;
    expect(text.split("\r\n")).toEqual([
      HEADER,
      `${start}A-1,"Mug\u00e9, blue",2,0.3333,0.6666,0.1,0.6666,1,0,0.1,1.7666,${data.placedAt},${end}`,
      `${start}'-B,'@cup,1,0,0,0,0.6666,1,0,0.1,1.7666,${data.placedAt},${end}`,
      "",
    ]);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(headers.get("content-disposition")).toBe('attachment; filename="orders.csv"');
  });

  test.each(["orders", "customers"])(
    "of %s is in the audit log, with the names of its filters",
    async (noun) => {
      const own = await orders.openShop();
      expect((await own.client.get(`/v1/${noun}/export?after=x`)).status).toBe(422);
      await exported(`/v1/${noun}/export?format=ndjson&search=ada`, own.client);
      const { rows } = await sql<{ type: string; data: object }>`
      select type, data from outbox where tenant_id = ${own.tenantId} and type like 'audit.%'
      union all select type, data from published_events
       where tenant_id = ${own.tenantId} and type like 'audit.%'`.execute(orders.db);
      const changes = { format: "ndjson", filters: ["search"] };
      expect(rows).toMatchObject([
        { type: `audit.${noun}.exported`, data: { target: { type: "module", id: "crm" }, changes } },
      ]);
      const { body } = await own.client.get(`/v1/${noun}/events`);
      expect(JSON.stringify(body)).not.toContain("exported");
    },
  );

  test("of a tenant without orders has the names only", async () => {
    const own = await orders.openShop();
    expect((await exported("/v1/orders/export", own.client)).text).toBe(`${HEADER}\r\n`);
    expect((await exported("/v1/orders/export?format=ndjson", own.client)).text).toBe("");
  });

  describe("of more than a page", () => {
    beforeAll(async () => {
      await insertOrders(orders, shop, [1, MANY], {
        order_number: sql`'N' || n`,
        status: sql`case when n % 3 = 0 then 'delivered' else 'placed' end`,
        created_at: sql`timestamptz '2026-01-01' + (n / 10) * interval '1 second'`,
        search_text: sql`' n' || n`,
      });
    });

    test("has every order once, the oldest first, as the list shows it", async () => {
      const all = await ndjson("/v1/orders/export?format=ndjson");
      const order = all.map(({ createdAt, id }) => `${createdAt} ${id}`);
      expect([all.length, new Set(order).size]).toEqual([MANY, MANY]);
      expect(order).toEqual([...order].sort());
      expect((await shop.client.get("/v1/orders?limit=3")).body.data).toEqual(all.slice(-3).reverse());
    });

    test("goes on after the last order that has arrived", async () => {
      const all = await ndjson("/v1/orders/export?format=ndjson");
      for (const index of [0, 249, 250, MANY - 1]) {
        expect(await ndjson(`/v1/orders/export?format=ndjson&after=${all[index].id}`)).toEqual(
          all.slice(index + 1),
        );
      }
    });

    test("has the list's filters and search", async () => {
      expect(await ndjson("/v1/orders/export?format=ndjson&status=delivered")).toHaveLength(MANY / 3);
      const found = await ndjson("/v1/orders/export?format=ndjson&search=n5%20ada&status=delivered");
      expect(found.filter(({ orderNumber }) => orderNumber.startsWith("N5"))).toEqual(found);
      expect(found).toHaveLength(36);
      expect(await ndjson("/v1/orders/export?format=ndjson&customerId=none")).toEqual([]);
    });
  });

  test.each([
    ["format=xml", "format"],
    ["after=1001", "after"],
    [`after=${randomUUID()}`, "after"],
    ["limit=5", "limit"],
    ["search=x", "search"],
  ])("with %s is 422", async (query, path) => {
    expect(invalidFields(await shop.client.get(`/v1/orders/export?${query}`))).toBe(path);
  });

  test("after another tenant's order is 422", async () => {
    const other = await orders.openShop();
    const { body } = await other.client.post("/v1/orders", other.order());
    expect((await shop.client.get(`/v1/orders/export?after=${body.data.id}`)).status).toBe(422);
  });
});

describe("an export of customers", () => {
  test("has every customer, the oldest first, with filters and after", async () => {
    const own = await orders.openShop();
    for (const name of ["Grace", "Edsger"]) {
      await own.client.post("/v1/customers", { name, phone: "+351 1", metadata: { rank: 1.5 } });
    }
    const { text } = await exported("/v1/customers/export", own.client);
    const [header, ...lines] = text.split("\r\n");
    expect(header).toBe("id,name,email,phone,externalId,metadata,version,createdAt,updatedAt,erasedAt");
    expect(lines.map((line) => line.split(",").slice(1, 6).join(","))).toEqual([
      "Ada,,,,",
      'Grace,,\'+351 1,,"{""rank"":1.5}"',
      'Edsger,,\'+351 1,,"{""rank"":1.5}"',
      "",
    ]);
    const first = lines[0]?.split(",")[0];
    const rest = await exported(`/v1/customers/export?format=ndjson&after=${first}&search=gra`, own.client);
    expect(JSON.parse(rest.text)).toMatchObject({ name: "Grace", metadata: { rank: 1.5 } });
  });
});
