// The API lists open and ended deliveries together, although they are in two tables: none is missed or listed twice while
// it moves between them. Equal response bodies are stored once.
import { describe, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { useWebhooks } from "./support/use-webhooks.ts";

const PATH = "/v1/webhooks/deliveries";

describe("the delivery log", () => {
  // So long that no attempt times out during a test.
  const { webhooks, receiver, tenant } = useWebhooks({
    WEBHOOKS_RETRY_SCHEDULE: "20ms",
    WEBHOOKS_TIMEOUT_MS: "60000",
  });

  const list = async (query: string) => (await tenant.owner().get(`${PATH}?${query}`)).body;
  const ids = async (query: string) => (await list(query)).data.map(({ id }: { id: string }) => id);
  const emitAndWait = async (subscriptionId: string, count: number) => {
    for (let number = 1; number <= count; number += 1) await webhooks.emit(tenant.tenantId, { number });
    await until(
      "all of them",
      async () => (await ids(`subscriptionId=${subscriptionId}&limit=100`)).length === count,
    );
  };

  test("is listed page by page without gaps or repeats while deliveries end", async () => {
    const gates: (() => void)[] = [];
    receiver.behave(() => (res) => void gates.push(() => res.writeHead(200).end()));
    const { id } = await tenant.subscribe(`${receiver.url}/hook`);
    await emitAndWait(id, 30);
    const expected = await ids("limit=100");
    expect(expected).toHaveLength(30);
    await until("some attempts in progress", () => gates.length > 0);
    const seen: string[] = [];
    const statuses: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: { data: { id: string; status: string }[]; page: { nextCursor: string | null } } =
        await list(`limit=4${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.data.map((one) => one.id));
      statuses.push(...page.data.map(({ status }) => status));
      cursor = page.page.nextCursor;
      // All attempts in progress end before the next page is read.
      const before = (await ids("status=delivered&limit=100")).length;
      const open = gates.splice(0);
      for (const respond of open) respond();
      await until("they have ended", async () => {
        return (await ids("status=delivered&limit=100")).length >= before + open.length;
      });
    }
    expect(seen).toEqual(expected);
    // Both tables were read.
    expect(new Set(statuses)).toEqual(new Set(["pending", "delivered"]));
    receiver.behave(() => 200);
    await until("all of them", async () => {
      for (const respond of gates.splice(0)) respond();
      return (await ids("status=delivered&limit=100")).length === 30;
    });
    expect(await ids("limit=100")).toEqual(expected);
  });

  test("stores the same response body once for each tenant and day, and shows it with each attempt", async () => {
    const { id } = await tenant.subscribe(`${receiver.url}/hook`);
    await emitAndWait(id, 100);
    await until("all of them", async () => (await ids("status=delivered&limit=100")).length === 100);
    const { rows } = await webhooks.pool.query(
      "select day, count(*)::int from response_bodies where tenant_id = $1 group by day",
      [tenant.tenantId],
    );
    // Two rows if the test runs across midnight.
    expect(rows.map(({ count }) => count)).toEqual(rows.map(() => 1));
    expect(rows.length).toBeGreaterThan(0);
    for (const delivery of (await ids("limit=100")).slice(0, 5)) {
      expect((await tenant.delivery(delivery)).attempts).toMatchObject([{ responseBody: "answered 200" }]);
    }
  });

  test("shows a missing response body as an empty one", async () => {
    receiver.behave(() => (res) => void res.writeHead(204).end());
    const { id } = await tenant.subscribe(`${receiver.url}/hook`);
    await webhooks.emit(tenant.tenantId);
    expect(await tenant.untilDelivery(id, "delivered")).toMatchObject({
      attempts: [{ statusCode: 204, responseBody: "" }],
    });
  });
});
