// A subscription paused and resumed while events stream in and are delivered: silence while it is paused, and all of it
// afterwards, once each, oldest first and no faster than its window.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Received, type Receiver, until } from "@tradepost/testing";
import { startWithReceiver } from "./support/use-webhooks.ts";
import type { TestTenant, TestWebhooks } from "./support/webhooks.ts";

const WINDOW_MAX = 100;
const ANSWER_AFTER_MS = 20;
const EVENTS_A_ROUND = 250;
const ROUNDS = 3;

describe("a subscription that is paused and resumed while events stream in", () => {
  let webhooks: TestWebhooks;
  let receiver: Receiver;
  let started: Awaited<ReturnType<typeof startWithReceiver>>;
  let tenant: TestTenant;
  let id: string;
  let underWay = 0;
  let answered = 0;
  /** Of each call: how many were under way with it, and how many had been answered before. */
  const calls: { deliveryId: string; underWay: number; answered: number }[] = [];

  beforeAll(async () => {
    started = await startWithReceiver({});
    ({ webhooks, receiver } = started);
    tenant = webhooks.tenant();
    id = (await tenant.subscribe(`${receiver.url}/hook`)).id;
    receiver.behave(({ headers }: Received) => (res) => {
      underWay += 1;
      calls.push({ deliveryId: String(headers["x-service-delivery"]), underWay, answered });
      setTimeout(() => {
        underWay -= 1;
        answered += 1;
        res.writeHead(200).end();
      }, ANSWER_AFTER_MS);
    });
  });

  afterAll(() => started.stop());

  const count = async (condition: string) => {
    const { rows } = await webhooks.pool.query<{ count: number }>(
      `select count(*)::int from all_deliveries where subscription_id = $1 and ${condition}`,
      [id],
    );
    return rows[0]?.count ?? 0;
  };
  const emit = (events: number) =>
    Promise.all(Array.from({ length: events }, (_, number) => webhooks.emit(tenant.tenantId, { number })));
  const untilNoneUnderWay = () =>
    until("the attempts under way to end", async () => {
      const { rows } = await webhooks.pool.query(
        "select 1 from deliveries where subscription_id = $1 and locked_until > now() limit 1",
        [id],
      );
      return rows.length === 0;
    });
  const windowSize = async () => {
    const { rows } = await webhooks.pool.query<{ size: number }>(
      "select window_size as size from endpoints where subscription_id = $1",
      [id],
    );
    return rows[0]?.size ?? 0;
  };

  test.each(Array.from({ length: ROUNDS }, (_, round) => round))(
    "is called by nobody meanwhile, and then gets all that waited, oldest first (round %i)",
    async (round) => {
      const before = calls.length;
      const streaming = emit(EVENTS_A_ROUND);
      await until("a stream of deliveries", () => calls.length > before + 20);
      await tenant.setActive(id, false);
      await untilNoneUnderWay();
      const silentFrom = calls.length;
      await streaming;
      await emit(EVENTS_A_ROUND);
      const total = (round + 1) * 2 * EVENTS_A_ROUND;
      await until("every event to be fanned out", async () => (await count("true")) === total);
      // Somebody else's delivery comes through what this one's would have to come through.
      const stranger = webhooks.tenant();
      const other = await stranger.subscribe(`${receiver.url}/other`);
      await webhooks.emit(stranger.tenantId);
      const { id: strangers } = await stranger.untilDelivery(other.id, "delivered");
      expect(calls.splice(silentFrom).map(({ deliveryId }) => deliveryId)).toEqual([strangers]);
      expect(await count("status not in ('paused', 'delivered')")).toBe(0);
      expect(await count("status = 'paused'")).toBe(total - silentFrom);

      // From a window of one it shows best who is let in before whom.
      await webhooks.pool.query("update endpoints set window_size = 1 where subscription_id = $1", [id]);
      const { rows } = await webhooks.pool.query<{ id: string }>(
        "select id from deliveries where subscription_id = $1 order by created_at, id",
        [id],
      );
      const rank = new Map(rows.map((row, index) => [row.id, index]));
      const answeredBefore = answered;
      await tenant.setActive(id, true);
      await until("all to be delivered", async () => (await count("status = 'delivered'")) === total);

      const late = calls.slice(silentFrom);
      expect(late.map(({ deliveryId }) => deliveryId).sort()).toEqual(rows.map((row) => row.id).sort());
      // Each success lets in one more than it takes out, up to the largest window.
      const allowed = (call: (typeof calls)[number]) =>
        Math.min(WINDOW_MAX, 1 + call.answered - answeredBefore);
      const tooMany = late.filter((call) => call.underWay > allowed(call));
      expect(tooMany).toEqual([]);
      const tooEarly = late.filter(
        (call) => (rank.get(call.deliveryId) ?? 0) >= call.answered - answeredBefore + allowed(call),
      );
      expect(tooEarly.map((call) => ({ ...call, rank: rank.get(call.deliveryId) }))).toEqual([]);
      expect(await windowSize()).toBeGreaterThan(1);
    },
  );

  test("has been called once for each event", () => {
    const deliveries = calls.map(({ deliveryId }) => deliveryId);
    expect(deliveries).toHaveLength(ROUNDS * 2 * EVENTS_A_ROUND);
    expect(new Set(deliveries).size).toBe(deliveries.length);
  });
});
