// The taxes of an order's lines, and the total that a caller expects (interface §4).
import { eventData } from "@tradepost/event-catalog";
import { invalidFields } from "@tradepost/testing";
import { line, sharedTestOrders } from "./support/test-orders.ts";

const VAT = { name: "VAT", rate: 21, amount: 4.2 };
const ECO = { name: "Eco tax", rate: 0.0625, amount: 0.05 };

const orders = await sharedTestOrders();
const shop = await orders.openShop();

describe("an order", () => {
  const place = (fields: object, headers?: Record<string, string>) =>
    shop.client.post("/v1/orders", shop.order(fields), headers);

  test("has the taxes of its lines, and their summary by name and rate, wherever it is shown", async () => {
    const items = [
      line({ taxAmount: 4.25, taxLines: [VAT, ECO] }),
      line({ taxAmount: 0 }),
      line({ taxAmount: 4.2, taxLines: [VAT] }),
      line({ taxAmount: 1, taxLines: [{ ...VAT, rate: 5, amount: 1 }] }),
    ];
    const { status, body } = await place({ items });
    expect([status, body.error]).toEqual([201, undefined]);
    expect(body.data.items.map(({ taxLines }: { taxLines?: object[] }) => taxLines)).toEqual([
      [VAT, ECO],
      undefined,
      [VAT],
      [{ ...VAT, rate: 5, amount: 1 }],
    ]);
    const taxSummary = [{ ...VAT, amount: 8.4 }, ECO, { ...VAT, rate: 5, amount: 1 }];
    expect(body.data).toMatchObject({ taxTotal: 9.45, total: 49.45, taxSummary });
    const { id } = body.data;
    expect((await shop.client.get(`/v1/orders/${id}`)).body.data).toEqual(body.data);
    expect((await shop.client.get("/v1/orders")).body.data[0]).toEqual(body.data);
    const [event] = await shop.published(1);
    expect(event?.data.order).toEqual(body.data);
    expect(eventData["order.placed"]?.schema.safeParse(event?.data).success).toBe(true);
    const paid = await shop.client.post(`/v1/orders/${id}/payments`, { status: "succeeded" });
    expect(paid.body.data).toMatchObject({ paymentStatus: "paid", taxSummary });
  });

  test("without taxes by name has no summary", async () => {
    const { body } = await place({ items: [line({ taxAmount: 1 })] });
    expect(body.data).not.toHaveProperty("taxSummary");
    expect(body.data.items[0]).not.toHaveProperty("taxLines");
  });

  test.each([
    ["amounts that do not sum to taxAmount", { taxAmount: 4.21, taxLines: [VAT] }, [""]],
    ["amounts on a line without taxAmount", { taxLines: [VAT] }, [""]],
    ["a rate of five decimals", { taxAmount: 4.2, taxLines: [{ ...VAT, rate: 0.00001 }] }, ["[0].rate"]],
    ["a negative rate", { taxAmount: 4.2, taxLines: [{ ...VAT, rate: -1 }] }, ["[0].rate"]],
    ["an amount of 3 decimals", { taxAmount: 4.2, taxLines: [{ ...VAT, amount: 4.201 }] }, ["[0].amount"]],
    ["more than 10 taxes", { taxAmount: 0, taxLines: Array(11).fill({ ...VAT, amount: 0 }) }, [""]],
    ["an unknown field", { taxAmount: 4.2, taxLines: [{ ...VAT, code: "S" }] }, ["[0].code"]],
    ["no name, rate and amount", { taxLines: [{}] }, ["[0].amount", "[0].name", "[0].rate"]],
  ])("is refused with %s", async (_, fields, paths) => {
    const expected = paths.map((path) => `items[0].taxLines${path}`).join(" ");
    expect(invalidFields(await place({ items: [line(fields)] }))).toBe(expected);
  });

  test("whose total is another than expected is 422 with the total, and nothing is written", async () => {
    const written = () => Promise.all((["orders", "events", "idempotency_records"] as const).map(shop.count));
    const before = await written();
    const headers = { "idempotency-key": "expected" };
    const { status, body } = await place({ shippingTotal: 0.5, expectedTotal: 10 }, headers);
    expect([status, body.error.code, body.error.total]).toEqual([422, "validation_error", 10.5]);
    expect(body.error.details).toEqual([{ path: "expectedTotal", message: "must be the total, 10.5" }]);
    expect(await written()).toEqual(before);
    const placed = await place({ shippingTotal: 0.5, expectedTotal: 10.5 }, headers);
    expect([placed.status, placed.body.data.total]).toEqual([201, 10.5]);
    expect(placed.body.data).not.toHaveProperty("expectedTotal");
  });

  test("of an import is refused by itself if its total is another than expected", async () => {
    const list = [10, 11].map((expectedTotal) => shop.order({ expectedTotal }));
    const { body } = await shop.client.post("/v1/orders/bulk", { orders: list });
    expect(body.data).toMatchObject([
      { success: true },
      { success: false, error: { code: "validation_error", total: 10 } },
    ]);
  });
});
