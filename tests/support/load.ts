// Generates load on a platform while it changes: orders, redirects, repeated requests, feeds and a listener. It records the facts
// that must hold afterwards.
import { sleep } from "@tradepost/runtime";
import { apiClient, bearer, type ClientResponse, until } from "@tradepost/testing";
import type { TestTenant } from "./test-platform.ts";

const PAUSE_MS = 200;
const FEED_TYPES = ["order.placed", "redirect.added"];

export type Load = Awaited<ReturnType<typeof startLoad>>;

type Shop = Pick<TestTenant, "ownerToken" | "apiKey" | "customerId"> & { readonly url: string };

/** Starts the load, which runs until `end` or `finish`. `webhookUrl` and a listener receive the events of the redirects. */
export async function startLoad(shop: Shop, webhookUrl: string, workers = 2) {
  const client = apiClient(shop.url, bearer(shop.apiKey));
  const owner = apiClient(shop.url, bearer(shop.ownerToken));
  const refused: string[] = [];
  const expect = (response: ClientResponse, status: number, what: string) => {
    if (response.status !== status) refused.push(`${what}: ${response.status} ${response.text}`);
    return response.body?.data;
  };
  const name = "Load";
  const events = ["redirect.added"];
  const subscribed = await owner.post("/v1/webhooks/subscriptions", { name, url: webhookUrl, events });
  const listened = await client.post("/v1/webhooks/listeners", { name, events });
  for (const { status, text } of [subscribed, listened]) if (status !== 201) throw new Error(text);
  const listener = listened.body.data;

  /** The ids of the orders, and of the events from the feeds, in order. */
  const seen = { orders: [] as string[], ordersFeed: [] as string[], contentFeed: [] as string[] };
  const leased = new Map<string, Set<string>>();
  const cursors = { ordersFeed: "", contentFeed: "" };

  const order = async (key: string): Promise<void> => {
    const body = {
      customerId: shop.customerId,
      items: [{ sku: "TEA-1", name: "Tea", quantity: 2, unitPrice: 4.5025 }],
    };
    const place = () => client.post("/v1/orders", body, { "idempotency-key": key });
    const first = await place();
    const placed = expect(first, 201, "order");
    const again = await place();
    expect(again, 201, "repeated order");
    if (again.text !== first.text) refused.push(`a repeated order is another: ${first.text} ${again.text}`);
    if (placed === undefined) return;
    seen.orders.push(placed.id);
    expect(await client.get(`/v1/orders/${placed.id}`), 200, "read of an order");
  };
  const readFeed = async (name: "ordersFeed" | "contentFeed", path: string): Promise<void> => {
    for (let hasMore = true; hasMore; ) {
      const response = await client.get(`${path}?limit=100${cursors[name] && `&after=${cursors[name]}`}`);
      const data = expect(response, 200, name) as { id: string; type: string }[] | undefined;
      if (data === undefined) return;
      const ours = data.filter(({ type }) => FEED_TYPES.includes(type));
      seen[name].push(...ours.map(({ id }) => id));
      cursors[name] = encodeURIComponent(response.body.page.nextCursor);
      ({ hasMore } = response.body.page);
    }
  };
  const lease = async (): Promise<void> => {
    const own = `/v1/webhooks/listeners/${listener.id}`;
    const deliveries = expect(await client.post(`${own}/lease`, { limit: 20 }), 200, "lease") ?? [];
    for (const { deliveryId, attempt, headers } of deliveries) {
      const result = { attempt, statusCode: 200, durationMs: 1 };
      const path = `${own}/deliveries/${deliveryId}/result`;
      expect(await client.post(path, result), 200, "result of a leased delivery");
      const eventId = headers["X-service-Event-Id"];
      leased.set(eventId, (leased.get(eventId) ?? new Set()).add(deliveryId));
    }
  };

  let [turns, isStopping] = [0, false];
  const work = async (worker: number): Promise<void> => {
    for (let turn = 0; !isStopping; turn += 1) {
      await order(`load-${worker}-${turn}`);
      const redirect = { from: `/from-${worker}-${turn}`, to: "/to" };
      expect(await client.post("/v1/redirects", redirect), 201, "redirect");
      // Only one worker reads, so that the order of the feeds can be checked.
      if (worker === 0) {
        await readFeed("ordersFeed", "/v1/orders/events");
        await readFeed("contentFeed", "/v1/content/events");
        await lease();
      }
      turns += 1;
      // The pause leaves the processor to the processes that are starting.
      await sleep(PAUSE_MS);
    }
  };
  const working = Array.from({ length: workers }, (_, worker) =>
    work(worker).catch((error: Error) => void refused.push(`${error.message}: ${error.cause}`)),
  );
  const end = async (): Promise<void> => {
    isStopping = true;
    await Promise.all(working);
  };
  return {
    client,
    seen: seen as Readonly<typeof seen>,
    /** The ids of the deliveries that the listener received, by event. */
    leased: leased as ReadonlyMap<string, ReadonlySet<string>>,
    /** The requests with an unexpected status, with their responses. */
    refused: refused as readonly string[],
    /** Resolves when the load has sent all its requests `count` more times. */
    more: async (count: number): Promise<void> => {
      const before = turns;
      await until(`${count} more turns`, () => turns >= before + count || refused.length > 0);
    },
    end,
    /** Ends the load, and reads the rest of the feeds and of the listener's deliveries. */
    finish: async (): Promise<void> => {
      await end();
      await until("the rest of the feeds", async () => {
        await readFeed("ordersFeed", "/v1/orders/events");
        await readFeed("contentFeed", "/v1/content/events");
        await lease();
        const lengths = [seen.ordersFeed.length, seen.contentFeed.length, leased.size];
        const expected = [seen.orders.length, turns, turns];
        return lengths.every((length, index) => length >= (expected[index] ?? 0)) || refused.length > 0;
      });
    },
  };
}
