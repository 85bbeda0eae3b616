import { sql } from "kysely";
import { placeOrder, takeSteps } from "./support/lifecycle-steps.ts";
import { sharedTestOrders } from "./support/test-orders.ts";

const orders = await sharedTestOrders();
const shop = await orders.openShop();

describe("the timeline of an order", () => {
  const timelineOf = async (id: string, query: string) =>
    (await shop.client.get(`/v1/orders/${id}/timeline${query}`)).body;

  test("shows each entry once on its pages, newest first, while new ones are added", async () => {
    const id = await placeOrder(shop, ["failed", "failed", "failed", "succeeded", "fulfill"]);
    const whole = (await timelineOf(id, "")).data;
    expect(whole.map(({ version }: { version: number }) => version)).toEqual([6, 5, 4, 3, 2, 1]);
    const read = [];
    let query = "?limit=2";
    for (const isLast of [false, false, true]) {
      const { data, page } = await timelineOf(id, query);
      read.push(...data);
      expect(data).toHaveLength(2);
      expect(page.nextCursor === null).toBe(isLast);
      query = `?limit=2&cursor=${page.nextCursor}`;
      await takeSteps(shop.client, id, [isLast ? "deliver" : "refund 4"]);
    }
    expect(read).toEqual(whole);
    expect((await timelineOf(id, "?limit=100")).data).toHaveLength(9);
  });

  test("is in the order of the versions even if all were made in the same millisecond", async () => {
    const id = await placeOrder(shop, ["failed", "succeeded", "refund 4", "fulfill", "deliver"]);
    const { created_at } = await orders.db
      .selectFrom("orders")
      .select("created_at")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    // Gives two entries the same time. Requests are never that close.
    await sql`update order_changes set created_at = ${created_at} where order_id = ${id}`.execute(orders.db);
    const first = await timelineOf(id, "?limit=4");
    const rest = await timelineOf(id, `?limit=4&cursor=${first.page.nextCursor}`);
    const versions = [...first.data, ...rest.data].map(({ version }) => version);
    expect(versions).toEqual([6, 5, 4, 3, 2, 1]);
  });
});
