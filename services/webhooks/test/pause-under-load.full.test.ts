// Pauses and resumes a subscription while events arrive and are delivered: it receives nothing while it is paused, and
// afterwards everything, once each, oldest first and within its window.
import { beforeAll, describe, expect, test } from "@jest/globals";
import { type Received, until } from "@tradepost/testing";
import { useSharedWebhooks } from "./support/use-webhooks.ts";

const WINDOW_MAX = 100;
const RESPOND_AFTER_MS = 20;
const EVENTS_A_ROUND = 250;
const ROUNDS = 3;

describe("a subscription that is paused and resumed while events arrive", () => {
  const { webhooks, receiver, tenant } = useSharedWebhooks();
  let id: string;
  let inProgress = 0;
  let ended = 0;
  /** Each request, with how many were in progress and how many had ended before it. */
  const requests: { deliveryId: string; inProgress: number; ended: number }[] = [];

  beforeAll(async () => {
    id = (await tenant.subscribe(`${receiver.url}/hook`)).id;
    receiver.behave(({ headers }: Received) => (res) => {
      inProgress += 1;
      requests.push({ deliveryId: String(headers["x-service-delivery"]), inProgress, ended });
      setTimeout(() => {
        inProgress -= 1;
        ended += 1;
        res.writeHead(200).end();
      }, RESPOND_AFTER_MS);
    });
  });

  const count = async (condition: string) => {
    const { rows } = await webhooks.pool.query<{ count: number }>(
      `select count(*)::int from all_deliveries where subscription_id = $1 and ${condition}`,
      [id],
    );
    return rows[0]?.count ?? 0;
  };
  const emit = (events: number) =>
    Promise.all(Array.from({ length: events }, (_, number) => webhooks.emit(tenant.tenantId, { number })));
  const untilNoneInProgress = () =>
    until("the attempts in progress to end", async () => {
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
    "receives nothing while it is paused, then everything that waited, oldest first (round %i)",
    async (round) => {
      const before = requests.length;
      const emitting = emit(EVENTS_A_ROUND);
      await until("a stream of deliveries", () => requests.length > before + 20);
      await tenant.setActive(id, false);
      await untilNoneInProgress();
      const sentBeforePause = requests.length;
      await emitting;
      await emit(EVENTS_A_ROUND);
      const total = (round + 1) * 2 * EVENTS_A_ROUND;
      await until("every event to be fanned out", async () => (await count("true")) === total);
      // A delivery of another subscription passes every step that this one's deliveries would have to pass.
      const otherTenant = webhooks.tenant();
      const other = await otherTenant.subscribe(`${receiver.url}/other`);
      await webhooks.emit(otherTenant.tenantId);
      const { id: otherId } = await otherTenant.untilDelivery(other.id, "delivered");
      expect(requests.splice(sentBeforePause).map(({ deliveryId }) => deliveryId)).toEqual([otherId]);
      expect(await count("status not in ('paused', 'delivered')")).toBe(0);
      expect(await count("status = 'paused'")).toBe(total - sentBeforePause);

      // A window of 1 shows the order of admission best.
      await webhooks.pool.query("update endpoints set window_size = 1 where subscription_id = $1", [id]);
      const { rows } = await webhooks.pool.query<{ id: string }>(
        "select id from deliveries where subscription_id = $1 order by created_at, id",
        [id],
      );
      const rank = new Map(rows.map((row, index) => [row.id, index]));
      const endedBefore = ended;
      await tenant.setActive(id, true);
      await until("all to be delivered", async () => (await count("status = 'delivered'")) === total);

      const sentAfterResume = requests.slice(sentBeforePause);
      expect(sentAfterResume.map(({ deliveryId }) => deliveryId).sort()).toEqual(
        rows.map((row) => row.id).sort(),
      );
      // Each success doubles the window, until it has its largest size.
      const allowed = (request: (typeof requests)[number]) =>
        Math.min(WINDOW_MAX, 2 ** (request.ended - endedBefore));
      const tooMany = sentAfterResume.filter((request) => request.inProgress > allowed(request));
      expect(tooMany).toEqual([]);
      const tooEarly = sentAfterResume.filter(
        (request) => (rank.get(request.deliveryId) ?? 0) >= request.ended - endedBefore + allowed(request),
      );
      expect(tooEarly.map((request) => ({ ...request, rank: rank.get(request.deliveryId) }))).toEqual([]);
      expect(await windowSize()).toBeGreaterThan(1);
    },
  );

  test("receives each event once", () => {
    const deliveries = requests.map(({ deliveryId }) => deliveryId);
    expect(deliveries).toHaveLength(ROUNDS * 2 * EVENTS_A_ROUND);
    expect(new Set(deliveries).size).toBe(deliveries.length);
  });
});
