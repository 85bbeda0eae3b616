// GET /v1/orders: filters, their combinations, and pages.

import { randomUUID } from "node:crypto";
import { invalidFields, readPages } from "@tradepost/testing";
import { type Step, takeSteps } from "./support/lifecycle-steps.ts";
import { line, sharedTestOrders, type TestShop } from "./support/test-orders.ts";

type Listed = Readonly<Record<"id" | "createdAt" | "updatedAt", string>>;
type Filter = Readonly<Record<string, string>>;

const CHANNELS = ["storefront", "b2b_portal", "admin", "import", "mcp"];
// The steps of each order in turn. Together they lead to every status and payment status.
const STEPS: Step[][] = [
  [],
  ["failed"],
  ["succeeded"],
  ["succeeded", "fulfill"],
  ["fulfill", "deliver"],
  ["succeeded", "refund 4"],
  ["succeeded", "refund all", "cancel"],
];

const orders = await sharedTestOrders();
const [shop, stranger] = [await orders.openShop(), await orders.openShop()];
const place = async ({ client, order }: TestShop, overrides: object = {}) => {
  const items = [0, 1, 2].map((index) => line({ sku: `S-${9 - index}`, unitPrice: index + 2 }));
  const { status, body } = await client.post("/v1/orders", order({ items, ...overrides }));
  expect(status).toBe(201);
  return body.data.id as string;
};
const otherCustomer: string = (await shop.client.post("/v1/customers", { name: "Bob" })).body.data.id;
const ids: string[] = [];
for (let index = 0; index < 35; index += 1) {
  const externalId = `E-${Math.floor(index / 5)}`;
  const fields = { orderNumber: `N-${index}`, externalId, channel: CHANNELS[index % 5] };
  await place(stranger, fields);
  const id = await place(shop, {
    ...fields,
    ...(index % 3 === 0 && { customerId: otherCustomer }),
    ...(index % 4 > 0 && { propertyId: `site ${index % 4}` }),
  });
  await takeSteps(shop.client, id, STEPS[index % STEPS.length] ?? []);
  ids.unshift(id);
}
// These changes come last, so that the order of updates differs from the order of creations.
for (const id of [ids[30], ids[11], ids[20]]) {
  await shop.client.post(`/v1/orders/${id}/payments`, { status: "failed" });
  await shop.client.post(`/v1/orders/${id}/refund`);
}
const all: Listed[] = [];
for (const id of ids) all.push((await shop.client.get(`/v1/orders/${id}`)).body.data);

describe("the list of orders", () => {
  const list = async (filter: Filter, { client } = shop) => {
    const { status, body } = await client.get(
      `/v1/orders?${new URLSearchParams({ limit: "100", ...filter })}`,
    );
    expect([status, body.error]).toEqual([200, undefined]);
    return body.data as Listed[];
  };

  test("shows every order without a filter, newest first, each as GET by id shows it", async () => {
    expect(await list({})).toEqual(all);
    const keys = all.map(({ createdAt, id }) => `${createdAt} ${id}`);
    expect(keys).toEqual(keys.toSorted().reverse());
  });

  const createdAt = (index: number) => all.at(index)?.createdAt ?? "";
  const middle = createdAt(17);
  const late = all[11]?.updatedAt ?? "";
  const offset = (time: string) =>
    new Date(Date.parse(time) + 2 * 3_600_000).toISOString().replace("Z", "+02:00");
  const equal = (field: string, values: string[]) =>
    values.map((value): [string, Filter] => [`${field}=${value}`, { [field]: value }]);
  const isWithin = (time: string, after = time, before = "9999-12-31T23:59:59Z") =>
    Date.parse(time) >= Date.parse(after) && Date.parse(time) < Date.parse(before);
  const matches = (order: Listed, filter: Filter) => {
    const {
      createdAfter,
      createdBefore,
      updatedAfter,
      updatedBefore,
      ids: id = order.id,
      ...fields
    } = filter;
    return (
      isWithin(order.createdAt, createdAfter, createdBefore) &&
      isWithin(order.updatedAt, updatedAfter, updatedBefore) &&
      Object.entries({ ...fields, id }).every(([field, values]) =>
        values
          .toLowerCase()
          .split(",")
          .includes(order[field as "id"]?.toLowerCase()),
      )
    );
  };
  test.each<[string, Filter]>([
    ...equal("status", ["placed", "fulfilled", "delivered", "cancelled"]),
    ...equal("paymentStatus", ["unpaid", "failed", "paid", "partially_refunded", "refunded"]),
    ...equal("channel", CHANNELS),
    ...equal("orderNumber", ["N-7"]),
    ...equal("propertyId", ["site 2"]),
    ...equal("externalId", ["E-3"]),
    ["several statuses", { status: "fulfilled,cancelled,fulfilled" }],
    [
      "several payment statuses and two statuses",
      { paymentStatus: "failed,paid,refunded", status: "placed,fulfilled" },
    ],
    [
      "ids, also unknown and in upper case",
      { ids: [ids[3], ids[30]?.toUpperCase(), randomUUID(), ids[3]].join(",") },
    ],
    ["100 ids", { ids: [...ids.slice(5, 15), ...Array(90).fill(randomUUID())].join(",") }],
    ["updatedAfter, inclusive", { updatedAfter: late }],
    ["updatedBefore, exclusive", { updatedBefore: late }],
    ["updatedAfter and updatedBefore", { updatedAfter: middle, updatedBefore: offset(late) }],
    ["customerId", { customerId: otherCustomer }],
    ["customerId in upper case", { customerId: otherCustomer.toUpperCase() }],
    ["createdAfter, inclusive", { createdAfter: middle }],
    ["createdBefore, exclusive", { createdBefore: middle }],
    ["createdAfter in another zone", { createdAfter: offset(middle) }],
    ["createdAfter and createdBefore", { createdAfter: createdAt(20), createdBefore: createdAt(10) }],
    [
      "status, paymentStatus and customerId",
      { status: "placed", paymentStatus: "paid", customerId: otherCustomer },
    ],
    [
      "all of them",
      {
        status: "placed",
        paymentStatus: "paid",
        customerId: shop.customerId,
        channel: "b2b_portal",
        orderNumber: "N-16",
        externalId: "E-3",
        ids: ids.join(","),
        createdAfter: createdAt(-1),
        createdBefore: "9999-12-31T23:59:59Z",
        updatedAfter: createdAt(-1),
        updatedBefore: "9999-12-31T23:59:59Z",
      },
    ],
  ])("shows exactly the matching orders for %s", async (_what, filter) => {
    const expected = all.filter((order) => matches(order, filter));
    expect([expected.length > 0, expected.length < all.length]).toEqual([true, true]);
    expect(await list(filter)).toEqual(expected);
  });

  test("is empty where no order matches: a malformed id, another tenant's customer, a time without orders", async () => {
    for (const filter of [
      { customerId: "malformed" },
      { customerId: randomUUID() },
      { customerId: stranger.customerId },
      { orderNumber: "n-7" },
      { propertyId: "" },
      { externalId: "E-99" },
      { ids: randomUUID() },
      { ids: (await list({}, stranger)).map(({ id }) => id).join(",") },
      { updatedBefore: createdAt(-1) },
      { createdAfter: middle, createdBefore: middle },
      { status: "cancelled", paymentStatus: "unpaid" },
    ] as Filter[]) {
      expect([filter, await list(filter)]).toEqual([filter, []]);
    }
    expect(await list({}, stranger)).toHaveLength(35);
  });

  test.each([{}, { channel: "admin" }])(
    "shows each order once on its pages with %j, while new orders are placed",
    async (filter) => {
      const full = await orders.openShop();
      const ids = await Promise.all(Array.from({ length: 11 }, () => place(full)));
      await place(full, { channel: "import" });
      if (!("channel" in filter)) ids.push((await list({ channel: "import" }, full))[0]?.id ?? "");
      const path = `/v1/orders?${new URLSearchParams({ limit: "3", ...filter })}`;
      const placeTwo = () => Promise.all([place(full), place(full)]);
      const seen = (await readPages(full.client, path, placeTwo)).flat() as Listed[];
      expect(seen.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
      const keys = seen.map(({ createdAt, id }) => `${createdAt} ${id}`);
      expect(keys).toEqual(keys.toSorted().reverse());
    },
  );

  test.each([
    ["status=shipped", "status"],
    ["status=", "status"],
    ["status=placed&status=fulfilled", "status"],
    ["status=placed,shipped", "status"],
    ["status=placed,", "status"],
    ["status=placed;fulfilled", "status"],
    ["paymentStatus=PAID", "paymentStatus"],
    ["paymentStatus=paid,%20failed", "paymentStatus"],
    ["ids=", "ids"],
    [`ids=${Array(101).fill("x").join(",")}`, "ids"],
    [`ids=${randomUUID()},x`, "ids"],
    [`ids=${randomUUID()},`, "ids"],
    ["propertyId=%00&externalId=%00", "externalId propertyId"],
    ["updatedAfter=yesterday&updatedBefore=2026-02-30T00:00:00Z", "updatedAfter updatedBefore"],
    ["channel=fax", "channel"],
    ["orderNumber=%00", "orderNumber"],
    ["customerId=%00", "customerId"],
    ["createdAfter=yesterday", "createdAfter"],
    ["createdAfter=2026-08-20", "createdAfter"],
    ["createdAfter=2026-08-20T09:30:00", "createdAfter"],
    ["createdBefore=2026-02-30T00:00:00Z", "createdBefore"],
    ["createdBefore=0000-01-01T00:00:00Z", "createdBefore"],
    ["createdBefore=2026-08-20T25:00:00Z", "createdBefore"],
    ["createdAfter=2026-08-20T09:30:00%2B16:00", "createdAfter"],
    ["createdBefore=2026-08-20T09:30:00-23:59", "createdBefore"],
    [`createdAfter=2026-08-20T09:30:00.${"1".repeat(200)}Z`, "createdAfter"],
    // Lists of customers read cursors in the same way.
    ...[
      `-271821-04-20T00:00:00.000Z ${randomUUID()}`,
      "2026-01-01 x",
      "2026-01-01T00:00:00.000Z ' or 1=1",
    ].map((text) => [`cursor=${Buffer.from(text).toString("base64url")}`, "cursor"]),
    ["limit=101&cursor=x&status=x&channel=x&sort=total", "channel cursor limit sort status"],
  ])("refuses ?%s with 422 and lists every field at fault", async (query, fields) => {
    expect(invalidFields(await shop.client.get(`/v1/orders?${query}`))).toBe(fields);
  });

  test("says how to send the offset of a time whose + has become a blank", async () => {
    const { status, body } = await shop.client.get("/v1/orders?createdAfter=2026-08-20T09:30:00+02:00");
    expect([status, body.error.details]).toEqual([
      422,
      [{ path: "createdAfter", message: expect.stringContaining('"+" of an offset must be sent as %2B') }],
    ]);
  });

  test.each([
    "2026-08-20T09:30:00+15:59",
    "2026-08-20T09:30:00.123456789-12:00",
    "0001-01-01T00:00:00+12:00",
    "9999-12-31T23:59:59-12:00",
  ])("accepts the time %s", async (createdAfter) => {
    await list({ createdAfter });
  });
});
