// Endpoints that ask to wait, have limits, or fail for a long time (interface §17).
import { until } from "@tradepost/testing";
import { explainDelivery } from "../src/operate.ts";
import { PATIENCE } from "../src/sending/next-attempt.ts";
import { insertBacklog } from "./support/backlog.ts";
import { useWebhooks } from "./support/use-webhooks.ts";
import { faultsOf } from "./support/webhooks.ts";

describe("an endpoint that asks to wait or has limits", () => {
  const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "200ms,200ms,200ms,200ms" });
  const untilHeld = (id: string) =>
    until("the hold", async () => {
      const health = await tenant.health(id);
      return health.heldUntil !== null && health;
    });

  test("an endpoint that asks to wait gets no attempt before, and waiting uses up none", async () => {
    const HOLD_S = 2;
    receiver.askToWait(HOLD_S);
    const { id } = await tenant.subscribe("/busy");
    await tenant.emit({ number: 1 });
    const health = await untilHeld(id);
    receiver.behave(() => 200);
    const heldMs = Date.parse(health.heldUntil) - Date.parse(health.lastFailureAt);
    expect(Math.round(heldMs / 1_000)).toBe(HOLD_S);
    await tenant.emit({ number: 2 });
    await tenant.act(id, "test", {});
    await tenant.untilAll(id, "delivered");
    const [, ...later] = receiver.received;
    expect(later).toHaveLength(3);
    for (const { at } of later) expect(at.getTime()).toBeGreaterThanOrEqual(Date.parse(health.heldUntil));
    const counts = (await tenant.deliveries(id)).map(({ attemptCount }) => attemptCount);
    expect(counts.sort()).toEqual([1, 1, 2]);
    expect(await tenant.health(id)).toMatchObject({ heldUntil: null, waiting: 0 });
  });

  test("a hold is that of one subscription, not of another at the same host", async () => {
    receiver.behave(({ path }) =>
      path === "/busy" ? (res) => res.writeHead(503, { "retry-after": "3600" }).end() : 200,
    );
    const { id: busy } = await tenant.subscribe("/busy");
    const { id: other } = await tenant.subscribe("/other");
    await tenant.emit({ number: 1 });
    await untilHeld(busy);
    for (const number of [2, 3]) await tenant.emit({ number });
    await until("the other's", () => receiver.at("/other").length === 3);
    await until("the rest to wait", async () => (await tenant.health(busy)).waiting === 3);
    expect(receiver.at("/busy")).toHaveLength(1);
    expect((await tenant.health(other)).heldUntil).toBeNull();
  });

  test("limits are checked and removed", async () => {
    const { id } = await tenant.subscribe("/limits");
    const wrong = await tenant.change(id, { maxPerSecond: 0, maxInFlight: 101 });
    expect(faultsOf(wrong)).toEqual([422, "maxInFlight", "maxPerSecond"]);
    const before = (await tenant.change(id, { maxInFlight: 3 })).body.data;
    const after = (await tenant.change(id, { maxInFlight: null })).body.data;
    expect(after).toMatchObject({ maxPerSecond: null, maxInFlight: null, version: before.version + 1 });
  });

  test("a notice has no path and no secret, and the first user who acknowledges it is named", async () => {
    receiver.behave(() => 410);
    const { id, signingSecret } = await tenant.subscribe("/hidden-path?token=hidden");
    await tenant.emit({ number: 1 });
    await until("the notice", async () => (await tenant.notices("?kind=endpoint_gone")).length === 1);
    const [gone] = await tenant.notices(`?subscriptionId=${id}&kind=endpoint_gone`);
    expect(gone.subject).toBe(`Test (${new URL(receiver.url).host})`);
    expect(JSON.stringify(gone)).not.toMatch(/hidden/);
    expect(JSON.stringify(gone)).not.toContain(signingSecret);
    const path = `/v1/notices/${gone.id}/acknowledge`;
    const once = await tenant.owner().post(path, {});
    expect(once).toMatchObject({ status: 200, body: { data: { acknowledgedBy: { type: "user" } } } });
    const again = await tenant.owner().post(path, {});
    expect(again.body.data.acknowledgedAt).toBe(once.body.data.acknowledgedAt);
    expect((await webhooks.tenant().owner().post(path, {})).status).toBe(404);
    const changed = await tenant.change(id, { url: `${receiver.url}/new` });
    expect(changed.status).toBe(200);
    expect(await tenant.notices("?open=true&kind=endpoint_gone")).toEqual([]);
    await tenant.unsubscribe(id);
    expect(await tenant.notices("?open=true")).toEqual([]);
  });

  test("a limited endpoint whose row is locked keeps no other endpoint waiting", async () => {
    const limited = async (name: string) => {
      const tenant = webhooks.tenant();
      const { id } = await tenant.subscribe(`/${name}`);
      await tenant.change(id, { maxInFlight: 5 });
      return { tenant, id };
    };
    const locked = await limited("locked");
    const other = await limited("other");
    const plain = webhooks.tenant();
    const { id: plainId } = await plain.subscribe("/plain");
    const countOf = (path: string) => receiver.at(path).length;
    {
      await using _ = await webhooks.begin("select from subscriptions where id = $1 for update", locked.id);
      await insertBacklog(webhooks.pool, locked.tenant, locked.id, 3);
      await webhooks.untilLocked();
      await insertBacklog(webhooks.pool, other.tenant, other.id, 3);
      await insertBacklog(webhooks.pool, plain, plainId, 3);
      await until("the others' deliveries", () => countOf("/other") >= 2 && countOf("/plain") >= 2, 20_000);
      expect(countOf("/locked")).toBe(0);
      const waiting = (await locked.tenant.deliveries(locked.id)).at(-1);
      expect(await explainDelivery(webhooks.db, waiting.id)).toMatchObject({
        because: expect.stringContaining("Its subscription allows 5 at a time."),
      });
    }
    await until("the locked one's", () => countOf("/locked") >= 2);
  });

  test("limits hold over two replicas", async () => {
    await webhooks.startReplica();
    let inFlight = 0;
    let most = 0;
    // Deliveries of earlier tests may arrive late.
    const arrived = () => receiver.at("/limited");
    receiver.behave(({ path }) => (res) => {
      if (path !== "/limited") return res.writeHead(200).end();
      inFlight += 1;
      most = Math.max(most, inFlight);
      setTimeout(() => {
        inFlight -= 1;
        res.writeHead(200).end();
      }, 100);
    });
    const { id } = await tenant.subscribe("/limited");
    const RATE = 10;
    const limited = await tenant.change(id, { maxPerSecond: RATE, maxInFlight: 2 });
    expect(limited.body.data).toMatchObject({ maxPerSecond: RATE, maxInFlight: 2 });
    await tenant.emitMany(30);
    await until("all", () => arrived().length >= 30);
    expect(most).toBeLessThanOrEqual(2);
    const times = arrived().map(({ at }) => at.getTime() / 1_000);
    // In any T seconds at most 1.1 × rate × (T + 1).
    for (let from = 0; from < times.length; from += 1) {
      for (let to = from; to < times.length; to += 1) {
        const seconds = (times[to] ?? 0) - (times[from] ?? 0);
        expect(to - from + 1).toBeLessThanOrEqual(1.1 * RATE * (seconds + 1));
      }
    }
  });
});

describe("an endpoint that is down", () => {
  const { receiver, tenant } = useWebhooks(
    { WEBHOOKS_RETRY_SCHEDULE: "100ms,100ms,100ms,100ms,100ms,100ms,1h" },
    { patience: { ...PATIENCE, downAfterMs: 500, tryEveryMs: 700 } },
  );

  test("is tried one at a time, and the first success frees what waits, oldest first", async () => {
    let isDown = true;
    receiver.behave(() => (isDown ? 500 : 200));
    const { id } = await tenant.subscribe("/dead");
    await tenant.emitMany(4);
    await until("the endpoint to be down", async () => (await tenant.health(id)).status === "down");
    expect(await tenant.health(id)).toMatchObject({
      downSince: expect.any(String),
      waiting: expect.any(Number),
    });
    const [down] = await tenant.notices("?open=true&kind=endpoint_down");
    expect(down).toMatchObject({ subscriptionId: id, closedAt: null, acknowledgedAt: null });
    const triedBefore = receiver.received.length;
    await tenant.emitMany(36);
    await until("two tries", () => receiver.received.length >= triedBefore + 2);
    const [first, second] = receiver.received.slice(triedBefore);
    expect((second?.at.getTime() ?? 0) - (first?.at.getTime() ?? 0)).toBeGreaterThanOrEqual(600);
    const deliveries = await tenant.deliveries(id);
    expect(deliveries.filter(({ attemptCount }) => attemptCount === 0).length).toBeGreaterThanOrEqual(30);
    isDown = false;
    receiver.received.length = 0;
    await until("what waits to arrive", () => receiver.received.length >= 36);
    expect(await tenant.health(id)).toMatchObject({ status: "healthy", heldUntil: null, downSince: null });
    expect(await tenant.notices("?open=true&kind=endpoint_down")).toEqual([]);
    expect(await tenant.notices("?open=false&kind=endpoint_down")).toHaveLength(1);
  });
});
