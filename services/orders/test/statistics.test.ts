// GET /v1/orders/statistics agrees with the lists of orders at any moment (interface §19).
import { currency } from "@tradepost/http";
import { type ClientResponse, invalidFields, readPages, until } from "@tradepost/testing";
import fc from "fast-check";
import { sql } from "kysely";
import { decimalOf, minorDigitsOf, roundHalfUp } from "../src/order/money.ts";
import { line, ownTestOrders, type TestShop } from "./support/test-orders.ts";

const PROPERTY_RUNS = 12;
const STEPS_MAX = 25;
const CURRENCIES = ["EUR", "JPY", "KWD"] as const;
const CHANNELS = ["storefront", "import"] as const;
const HOUR_MS = 3_600_000;
/** The range begins and ends within a quarter of an hour. */
const RANGE = { from: "2026-03-28T10:07:03.001Z", to: "2026-04-02T21:59:59.999Z" };

type Listed = ClientResponse["body"];

const orders = await ownTestOrders();

const statistics = async ({ client }: TestShop, query: Record<string, string>) => {
  const { status, body } = await client.get(`/v1/orders/statistics?${new URLSearchParams(query)}`);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.data;
};

const hoursAroundNow = () => {
  const [from = "", to = ""] = [-HOUR_MS, HOUR_MS].map((ms) => new Date(Date.now() + ms).toISOString());
  return { from, to, by: "month" };
};

describe("the figures of orders", () => {
  const allOrders = async ({ client }: TestShop) => {
    const pages = await readPages(client, "/v1/orders?limit=100");
    return pages.flat();
  };
  const expected = (list: readonly Listed[], starts: readonly string[]) => {
    const counted = list.filter(({ status }) => status !== "cancelled");
    const inRange = counted.filter(({ placedAt }) => placedAt >= RANGE.from && placedAt < RANGE.to);
    const sum = (amounts: number[]) => Math.round(amounts.reduce((a, b) => a + b * 10_000, 0)) / 10_000;
    const currencies = [...new Set(inRange.map(({ currency }) => currency))].sort();
    const count = (holds: (order: Listed) => boolean) => counted.filter(holds).length;
    return {
      currencies: currencies.map((currency) => ({
        currency,
        buckets: starts.map((at, index) => {
          const until = starts[index + 1] ?? RANGE.to;
          const placed = inRange.filter(
            (order) => order.currency === currency && order.placedAt >= at && order.placedAt < until,
          );
          return {
            at,
            orders: placed.length,
            total: sum(placed.map(({ payableTotal }) => payableTotal)),
            paid: sum(placed.map(({ paidTotal }) => paidTotal)),
            refunded: sum(placed.map(({ refundedTotal }) => refundedTotal)),
          };
        }),
      })),
      open: {
        toFulfill: count(({ allowedActions }) => allowedActions.includes("fulfill")),
        readyToShip: count(
          ({ status, paymentStatus }) =>
            status === "placed" && ["paid", "partially_refunded"].includes(paymentStatus),
        ),
        unpaid: count(({ paymentStatus }) => ["unpaid", "partially_paid"].includes(paymentStatus)),
        paymentFailed: count(({ paymentStatus }) => paymentStatus === "failed"),
        toDeliver: count(({ status }) => status === "fulfilled"),
      },
    };
  };
  const BERLIN = ["03-27T23", "03-28T23", "03-29T22", "03-30T22", "03-31T22", "04-01T22"];

  test("are the sums over the lists after any changes", async () => {
    const action = fc.tuple(
      fc.nat(),
      fc.constantFrom("pay", "pay part", "fail", "fulfill", "deliver", "cancel", "refund", "refund part"),
    );
    const place = fc.record({
      currency: fc.constantFrom(...CURRENCIES),
      channel: fc.constantFrom(...CHANNELS),
      price: fc.integer({ min: 1, max: 99_999 }),
      minutes: fc.integer({ min: 0, max: 7 * 24 * 60 }),
      edge: fc.constantFrom(
        null,
        ...Object.values(RANGE),
        "2026-03-29T22:00:00.000Z",
        "2026-03-28T10:07:03.000Z",
      ),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(place, { minLength: 1, maxLength: 6 }),
        fc.array(action, { maxLength: STEPS_MAX }),
        async (placed, actions) => {
          const shop = await orders.openShop();
          const ids: string[] = [];
          for (const { currency, channel, price, minutes, edge } of placed) {
            const items = [line({ unitPrice: (price + 10_000) / 10_000 })];
            const placedAt = edge ?? new Date(Date.parse("2026-03-27T00:00:00Z") + minutes * 60_000);
            const order = shop.order({ currency, channel, items, placedAt });
            ids.push((await shop.client.post("/v1/orders", order)).body.data.id);
          }
          const check = async () => {
            const all = await allOrders(shop);
            const starts = BERLIN.map((hour) => `2026-${hour}:00:00.000Z`);
            for (const channel of [undefined, ...CHANNELS]) {
              const query = { ...RANGE, timeZone: "Europe/Berlin", ...(channel && { channel }) };
              const ofChannel = all.filter((order) => channel === undefined || order.channel === channel);
              expect(await statistics(shop, query)).toEqual({
                ...{ ...RANGE, by: "day", timeZone: "Europe/Berlin" },
                ...expected(ofChannel, starts),
              });
            }
          };
          await check();
          for (const [index, name] of actions) {
            await act(shop, ids[index % ids.length] ?? "", name);
            await check();
          }
        },
      ),
      { numRuns: PROPERTY_RUNS },
    );
  });

  test("are those of the list while many orders are placed and changed at the same time", async () => {
    const shop = await orders.openShop();
    const one = async (index: number) => {
      const items = [line({ unitPrice: index + 0.25 })];
      const { body } = await shop.client.post("/v1/orders", shop.order({ items }));
      await shop.client.post(`/v1/orders/${body.data.id}/payments`, { status: "succeeded" });
      if (index % 2 === 0) await shop.client.post(`/v1/orders/${body.data.id}/refund`, { amount: 0.25 });
    };
    await Promise.all(Array.from({ length: 60 }, (_, index) => one(index)));
    const query = hoursAroundNow();
    const total = (59 * 60) / 2 + 60 * 0.25;
    const check = async () => {
      const { buckets } = (await statistics(shop, query)).currencies[0];
      const sums = ["orders", "total", "paid", "refunded"].map((name) =>
        buckets.reduce((sum: number, bucket: Record<string, number>) => sum + (bucket[name] ?? 0), 0),
      );
      expect(sums).toEqual([60, total, total, 7.5]);
    };
    await check();
    const waiting = () => sql`select from order_deltas where tenant_id = ${shop.tenantId}`.execute(orders.db);
    await until("the differences are summed", async () => (await waiting()).rows.length === 0 || undefined);
    await check();
  });
});

test("of today stay as they are while orders of September are imported", async () => {
  const shop = await orders.openShop();
  await shop.client.post("/v1/orders", shop.order());
  const today = hoursAroundNow();
  const before = await statistics(shop, today);
  const days = Array.from({ length: 30 }, (_, day) => new Date(Date.UTC(2026, 8, day + 1, 12)));
  const imported = days.map((placedAt) => shop.order({ placedAt, channel: "import" }));
  expect((await shop.client.post("/v1/orders/bulk", { orders: imported })).status).toBe(200);
  expect((await statistics(shop, today)).currencies).toEqual(before.currencies);
  const september = { from: "2026-09-01T00:00:00Z", to: "2026-10-01T00:00:00Z" };
  const { buckets } = (await statistics(shop, september)).currencies[0];
  expect(buckets).toMatchObject(days.map(() => ({ orders: 1, total: 10 })));
});

test("round the total of every currency as the price of an order does", async () => {
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const texts = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
  const currencies = texts.filter((text) => currency.safeParse(text).success);
  expect(currencies.length).toBeGreaterThan(150);
  const units = [0n, 4n, 5n, 49n, 50n, 499n, 500n, 4_999n, 5_000n, 999_999_999_999_999n];
  const cases = currencies.flatMap((code) => units.map((total) => ({ code, total })));
  const { rows } = await sql<{ payable: string }>`
    select payable(total, code) as payable from unnest(${cases.map(({ code }) => code)}::text[],
           ${cases.map(({ total }) => decimalOf(total))}::numeric[]) as one (code, total)`.execute(orders.db);
  const rounded = cases.map(({ code, total }) =>
    Number(decimalOf(roundHalfUp(total, minorDigitsOf(code) ?? 2))),
  );
  expect(rows.map(({ payable }) => Number(payable))).toEqual(rounded);
});

test("count no order whose number is taken", async () => {
  const shop = await orders.openShop();
  const order = shop.order({ orderNumber: "1" });
  for (const expected of [201, 409]) {
    expect((await shop.client.post("/v1/orders", order)).status).toBe(expected);
  }
  const { currencies, open } = await statistics(shop, hoursAroundNow());
  const counts = currencies[0].buckets.map(({ orders }: { orders: number }) => orders);
  expect([counts.filter((count: number) => count > 0), open.toFulfill]).toEqual([[1], 1]);
});

test("of a tenant without orders are empty, and another tenant's are not counted", async () => {
  const [shop, other] = [await orders.openShop(), await orders.openShop()];
  await other.client.post("/v1/orders", other.order());
  const range = { from: "2026-01-01T00:00:00+01:00", to: "2036-02-01T00:00:00Z" };
  expect(await statistics(shop, { ...range, by: "month" })).toEqual({
    from: "2025-12-31T23:00:00.000Z",
    to: "2036-02-01T00:00:00.000Z",
    by: "month",
    timeZone: "UTC",
    currencies: [],
    open: { toFulfill: 0, readyToShip: 0, unpaid: 0, paymentFailed: 0, toDeliver: 0 },
  });
});

test.each<[Record<string, string>, string]>([
  [{}, "from to"],
  [{ from: "yesterday", to: RANGE.to }, "from"],
  [{ from: RANGE.to, to: RANGE.to }, "to"],
  [{ ...RANGE, by: "hour" }, "by"],
  [{ ...RANGE, timeZone: "Mars/Olympus" }, "timeZone"],
  [{ from: "2026-01-01T00:00:00Z", to: "2027-02-05T00:00:00.001Z" }, "to"],
  [{ ...RANGE, channel: "shop" }, "channel"],
])("a request with %j is 422", async (query, fields) => {
  const { client } = await orders.openShop();
  expect(invalidFields(await client.get(`/v1/orders/statistics?${new URLSearchParams(query)}`))).toBe(fields);
});

async function act({ client }: TestShop, id: string, name: string): Promise<void> {
  const requests: Record<string, [string, object?]> = {
    pay: ["payments", { status: "succeeded" }],
    "pay part": ["payments", { status: "succeeded", amount: 1 }],
    fail: ["payments", { status: "failed" }],
    "refund part": ["refund", { amount: 1 }],
  };
  const [path, body] = requests[name] ?? [name];
  // The action may be refused.
  const { status } = await client.post(`/v1/orders/${id}/${path}`, body ?? {});
  expect([200, 409, 422]).toContain(status);
}
