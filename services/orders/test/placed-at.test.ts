// When the customer placed an order, which may be long before it was created (interface §4).
import { randomUUID } from "node:crypto";
import { invalidFields, readPages } from "@tradepost/testing";
import { sql } from "kysely";
import { insertOrders } from "./support/insert-orders.ts";
import { readFeed, sharedTestOrders, type TestShop } from "./support/test-orders.ts";

interface Listed {
  readonly id: string;
  readonly orderNumber: string;
  readonly createdAt: string;
  readonly placedAt: string;
}

const MINUTE_MS = 60_000;
const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString();

const orders = await sharedTestOrders();

const placed = async (shop: TestShop, overrides: object = {}): Promise<Listed> => {
  const { status, body } = await shop.client.post("/v1/orders", shop.order(overrides));
  expect([status, body.error]).toEqual([201, undefined]);
  return body.data;
};
const listed = async ({ client }: TestShop, query: string): Promise<Listed[]> => {
  const pages = await readPages(client, `/v1/orders?${query}`);
  return pages.flat();
};

const same = "2026-09-10T00:00:00.000Z";
const dates = [
  ...[undefined, undefined, "2026-09-01T00:00:00Z", undefined, same, same, "2001-01-01T00:00:00Z"],
  ...[same, fromNow(2 * MINUTE_MS), undefined, "2026-10-01T00:00:00+02:00", undefined],
];
const full = await orders.openShop();
for (const [index, placedAt] of dates.entries()) {
  const channel = index % 2 === 0 ? "import" : "admin";
  await placed(full, { placedAt, channel, externalId: `W-${index}` });
}
// An order that release 1.0.0 inserts has no date of its own.
await insertOrders(orders, full, [1, 1], { order_number: sql`'old'`, search_text: sql`' w'` });
const all = await listed(full, "");

describe("the date of an order", () => {
  test("is the time of its creation by default, and shown everywhere", async () => {
    const shop = await orders.openShop();
    const order = await placed(shop);
    expect(order.placedAt).toBe(order.createdAt);
    const dated = await placed(shop, { placedAt: "2024-02-29T23:30:00.1239-03:00" });
    expect(dated.placedAt).toBe("2024-03-01T02:30:00.123Z");
    expect(Date.parse(dated.createdAt)).toBeGreaterThan(Date.parse(order.createdAt) - 1);
    const next = await placed(shop);
    expect(next.placedAt).toBe(next.createdAt);
    expect((await shop.client.get(`/v1/orders/${dated.id}`)).body.data).toEqual(dated);
    await shop.client.post(`/v1/orders/${dated.id}/payments`, { status: "failed" });
    const dates = (await readFeed(shop, "orders", 4)).map(({ data }) => data.order.placedAt);
    expect(dates).toEqual([order.placedAt, dated.placedAt, next.placedAt, dated.placedAt]);
    const csv = (await shop.client.get("/v1/orders/export")).text.split("\r\n");
    expect(csv[2]).toContain(dated.placedAt);
    const timeline = (await shop.client.get(`/v1/orders/${dated.id}/timeline`)).body.data;
    expect(timeline.at(-1).createdAt).toBe(dated.createdAt);
  });

  test("is from 2000 to five minutes ahead of the clock, with an offset", async () => {
    const shop = await orders.openShop();
    for (const placedAt of ["2000-01-01T00:00:00Z", "1999-12-31T23:00:00-01:00", fromNow(4 * MINUTE_MS)]) {
      expect((await placed(shop, { placedAt })).placedAt).toBe(new Date(placedAt).toISOString());
    }
    for (const placedAt of [
      ...["1999-12-31T23:59:59.999Z", "2000-01-01T00:00:00+00:01", fromNow(6 * MINUTE_MS)],
      ...["2026-01-01T00:00:00", "2026-01-01", "2025-02-29T00:00:00Z", "2026-01-01T24:00:00Z", "", 1, []],
    ]) {
      const refused = await shop.client.post("/v1/orders", shop.order({ placedAt }));
      expect([placedAt, invalidFields(refused)]).toEqual([placedAt, "placedAt"]);
    }
    expect((await placed(shop, { placedAt: null })).placedAt).toEqual(expect.any(String));
  });

  test("is that of each order of an import, also of a dry run and a repeated request", async () => {
    const shop = await orders.openShop();
    const dates = ["2026-09-01T10:00:00.000Z", "2026-09-28T10:00:00.000Z"];
    const body = { orders: [...dates, "1999-01-01T00:00:00Z"].map((placedAt) => shop.order({ placedAt })) };
    const key = { "idempotency-key": randomUUID() };
    for (const path of ["/v1/orders/bulk?dryRun=true", "/v1/orders/bulk", "/v1/orders/bulk"]) {
      const { data } = (await shop.client.post(path, body, key)).body;
      expect(data.map((result: { data?: Listed }) => result.data?.placedAt)).toEqual([...dates, undefined]);
      expect(data[2].error.details).toEqual([{ path: "placedAt", message: expect.any(String) }]);
    }
    expect(await listed(shop, "")).toHaveLength(2);
  });

  describe("in lists", () => {
    const sorted = (list: readonly Listed[]) =>
      list.toSorted((a, b) => (a.placedAt + a.id < b.placedAt + b.id ? 1 : -1));
    const numbers = (list: readonly Listed[]) => list.map(({ orderNumber }) => orderNumber);

    test.each([1, 2, 5, 100])("sorts by it, in pages of %d", async (limit) => {
      expect(all).toHaveLength(dates.length + 1);
      expect(numbers(await listed(full, `sort=placedAt&limit=${limit}`))).toEqual(numbers(sorted(all)));
      expect(numbers(await listed(full, `sort=createdAt&limit=${limit}`))).toEqual(numbers(all));
    });

    test.each(["createdAt", "placedAt"])("filters by it, sorted by %s", async (sort) => {
      const bounds = [same, "2026-09-30T22:00:00.000Z", ...[1, 9].map((index) => all[index]?.createdAt)];
      for (const after of [undefined, ...bounds]) {
        for (const before of [undefined, ...bounds]) {
          const query = new URLSearchParams({
            ...{ sort, limit: "3" },
            ...(after && { placedAfter: after }),
            ...(before && { placedBefore: before }),
          });
          const expected = all.filter(
            ({ placedAt }) => placedAt >= (after ?? "") && placedAt < (before ?? "9"),
          );
          const inOrder = sort === "placedAt" ? sorted(expected) : expected;
          expect(numbers(await listed(full, `${query}`))).toEqual(numbers(inOrder));
          query.set("channel", "import");
          const ofChannel = inOrder.filter(({ externalId }: Listed & { externalId?: string }) =>
            /[02468]$/.test(externalId ?? ""),
          );
          expect(numbers(await listed(full, `${query}`))).toEqual(numbers(ofChannel));
        }
      }
    });

    test("searches in its order", async () => {
      const ofSearch = all.filter(({ orderNumber }) => orderNumber !== "old");
      const found = await listed(full, "search=w-&sort=placedAt&limit=4");
      expect(numbers(found)).toEqual(numbers(sorted(ofSearch)));
      const bounds = `placedAfter=${same}&placedBefore=2026-11-01T00:00:00Z`;
      const bounded = await listed(full, `search=W-&sort=placedAt&limit=1&${bounds}`);
      const expected = ofSearch.filter(({ placedAt }) => placedAt >= same && placedAt < "2026-11");
      expect(numbers(bounded)).toEqual(numbers(sorted(expected)));
    });

    test("refuses a cursor of another sort, and an unknown sort", async () => {
      const cursorOf = async (sort: string) =>
        (await full.client.get(`/v1/orders?limit=1&sort=${sort}`)).body.page.nextCursor;
      for (const [cursor, sort] of [
        [await cursorOf("createdAt"), "placedAt"],
        [await cursorOf("placedAt"), "createdAt"],
        [Buffer.from(`2026-01-01T00:00:00.000Z ${randomUUID()} total`).toString("base64url"), "placedAt"],
      ]) {
        const response = await full.client.get(`/v1/orders?sort=${sort}&cursor=${cursor}`);
        expect(invalidFields(response)).toBe("cursor");
      }
      const customers = await full.client.get(`/v1/customers?cursor=${await cursorOf("placedAt")}`);
      expect(customers.status).toBe(422);
      const { body } = await full.client.get("/v1/orders?sort=total");
      expect(body.error.details).toEqual([{ path: "sort", message: "must be one of createdAt, placedAt" }]);
    });

    test("is in exports, which filter by it", async () => {
      const { text } = await full.client.get(`/v1/orders/export?format=ndjson&placedAfter=${same}&search=w-`);
      const lines = text.trim().split("\n");
      const exported = lines.map((line) => JSON.parse(line) as Listed);
      const expected = all.filter(({ placedAt, orderNumber }) => placedAt >= same && orderNumber !== "old");
      expect(numbers(exported)).toEqual(numbers(expected.reverse()));
      expect((await full.client.get("/v1/orders/export?sort=placedAt")).status).toBe(422);
    });
  });

  test("leaves no order out of a list if the first one with a date meets others", async () => {
    const shop = await orders.openShop();
    const dates = Array(40).fill(undefined).with(20, "2026-09-01T00:00:00Z");
    await Promise.all(dates.map((placedAt) => placed(shop, { placedAt })));
    expect(await listed(shop, "sort=placedAt")).toHaveLength(40);
    expect(await listed(shop, "sort=createdAt&placedAfter=2000-01-01T00:00:00Z")).toHaveLength(40);
  });
});
