// A stopping service gives load balancers time to notice (interface §9).
import http from "node:http";
import { apiClient, until } from "@tradepost/testing";
import { ownTestOrders } from "./support/test-orders.ts";

const orders = await ownTestOrders();

test("a stopping service takes new connections and requests until the idle grace is over", async () => {
  const shop = await orders.openShop();
  const replica = await orders.startReplica({ DRAIN_IDLE_MS: "4000" });
  const { body: feed } = await shop.client.get("/v1/orders/events");
  const waiting = shop
    .clientAt(replica.url)
    .get(`/v1/orders/events?waitSeconds=25&after=${encodeURIComponent(feed.page.nextCursor)}`);
  let isStopped = false;
  const stopping = replica.stop().then(() => {
    isStopped = true;
  });

  const ready = await apiClient(replica.url).get("/readyz");
  expect([ready.status, ready.body.missing]).toEqual([503, ["stopping"]]);
  const { status } = await getOverNewConnection(`${replica.url}/healthz`);
  expect(status).toBe(200);
  const placed = await shop.clientAt(replica.url).post("/v1/orders", shop.order());
  expect([placed.status, placed.headers.get("connection")]).toEqual([201, "close"]);
  // A waiting reader is still woken.
  expect((await waiting).body.data).toHaveLength(1);
  expect(isStopped).toBe(false);

  await stopping;
  await until("the port to be closed", async () => {
    const { refused } = await getOverNewConnection(`${replica.url}/healthz`);
    return refused;
  });
});

function getOverNewConnection(url: string): Promise<{ status?: number | undefined; refused: boolean }> {
  return new Promise((resolve) => {
    http
      .get(url, { agent: false }, (response) => {
        response.resume();
        resolve({ status: response.statusCode, refused: false });
      })
      .on("error", () => resolve({ refused: true }));
  });
}
