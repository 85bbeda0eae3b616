// Order numbers under load on two replicas: no gaps after 1001, while other requests supply numbers.
import { ownTestOrders, type TestShop } from "./support/test-orders.ts";

const ORDERS = 200;

const orders = await ownTestOrders({ replicas: 2 });

describe("order numbers on two replicas", () => {
  const many = <Item>(count: number, item: (index: number) => Item) =>
    Array.from({ length: count }, (_, index) => item(index));
  const client = (shop: TestShop, index: number) =>
    shop.clientAt(orders.urls[index % orders.urls.length] ?? "");
  const place = async (shop: TestShop, index: number, orderNumber?: string) => {
    const { status, body } = await client(shop, index).post("/v1/orders", shop.order({ orderNumber }));
    return { status, code: body.error?.code, orderNumber: body.data?.orderNumber as string | undefined };
  };
  /** Returns the first numbers from 1001 that were not supplied. */
  const dense = (count: number, supplied = new Set<string | undefined>()) =>
    many(count + supplied.size, (index) => String(1001 + index))
      .filter((number) => !supplied.has(number))
      .slice(0, count);
  const ascending = (numbers: (string | undefined)[]) => numbers.toSorted((a, b) => Number(a) - Number(b));

  test("a supplied number has no white space around it", async () => {
    const shop = await orders.openShop();
    for (const number of [" 77", "77 ", "\u00a077"]) {
      expect([(await place(shop, 0, number)).status, number]).toEqual([422, number]);
    }
    expect((await place(shop, 0, "7 7")).orderNumber).toBe("7 7");
  });

  test(`${ORDERS} orders at once, with numbers supplied at the same time, leave no gap and no duplicate`, async () => {
    const shop = await orders.openShop();
    const first = ["1003", "1004", "1100", "INV-1", "01001"];
    for (const number of first) await place(shop, 0, number);
    // Every third number is supplied by one request, and some numbers by two.
    const wanted = many(ORDERS / 2, (index) => String(1002 + 3 * (index % 80)));
    const [generated, supplied] = await Promise.all([
      Promise.all(many(ORDERS, (index) => place(shop, index))),
      Promise.all(wanted.map((number, index) => place(shop, index, number))),
    ]);
    for (const { status, code } of generated) expect([status, code]).toEqual([201, undefined]);
    for (const { status, code } of supplied)
      expect(["201 undefined", "409 order_number_taken"]).toContain(`${status} ${code}`);
    const granted = supplied.flatMap(({ orderNumber }) => orderNumber ?? []);
    const taken = new Set<string | undefined>([...granted, ...first]);
    expect(taken.size).toBe(granted.length + first.length);
    expect(ascending(generated.map(({ orderNumber }) => orderNumber))).toEqual(dense(ORDERS, taken));
    expect(await shop.count("orders")).toBe(ORDERS + taken.size);
    expect((await place(shop, 0)).orderNumber).toBe(dense(ORDERS + 1, taken).at(-1));
  });

  test("imports, single orders and refused orders at once leave no gap and no duplicate", async () => {
    const shop = await orders.openShop();
    const list = many(30, (index) => {
      if (index % 3 === 0) return shop.order({ discountTotal: 99 });
      return shop.order(index % 5 === 0 ? { orderNumber: String(1010 + index) } : {});
    });
    const [imports, singles] = await Promise.all([
      Promise.all(many(4, (index) => client(shop, index).post("/v1/orders/bulk", { orders: list }))),
      Promise.all(
        many(40, (index) => place(shop, index, index % 4 === 0 ? String(1010 + index) : undefined)),
      ),
    ]);
    for (const { status } of imports) expect(status).toBe(200);
    const imported = imports.flatMap(({ body }) =>
      body.data.flatMap(({ data }: { data?: { orderNumber: string } }) => data?.orderNumber ?? []),
    );
    const numbers: string[] = [...imported, ...singles.flatMap(({ orderNumber }) => orderNumber ?? [])];
    expect(new Set(numbers).size).toBe(numbers.length);
    const next = Number((await place(shop, 0)).orderNumber);
    const taken = new Set(numbers);
    for (let number = 1001; number < next; number += 1) expect(taken).toContain(String(number));
  });
});
