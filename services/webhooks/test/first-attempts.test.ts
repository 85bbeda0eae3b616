// First attempts start in the process that fans out: without a message, and without waiting for locks.
import { describe, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { useWebhooks } from "./support/use-webhooks.ts";

describe("a first attempt", () => {
  const { webhooks, receiver, tenant } = useWebhooks({ WEBHOOKS_RETRY_SCHEDULE: "100ms,1h" });

  /** A subscription whose health is recorded as good. */
  const healthy = async (path: string) => {
    const { id } = await tenant.subscribe(receiver.url + path);
    await webhooks.emit(tenant.tenantId);
    await tenant.untilDelivery(id, "delivered");
    return id;
  };

  const statuses = async (id: string) =>
    (await tenant.deliveries(id)).map(({ status }: { status: string }) => status) as string[];

  const holding = async (lock: string, id: string, work: () => Promise<unknown>) => {
    await using _ = await webhooks.begin(lock, [id]);
    await work();
  };

  test("has no message in webhooks.deliveries, and a retry has one", async () => {
    const id = await healthy("/direct");
    const jobs = await webhooks.captureJobs();
    await Promise.all(Array.from({ length: 50 }, (_, number) => webhooks.emit(tenant.tenantId, { number })));
    await until("all of them", async () => {
      const found = await statuses(id);
      return found.length === 51 && found.every((status) => status === "delivered");
    });
    expect(jobs).toEqual([]);
    receiver.behave(({ headers }) => (headers["x-service-attempt"] === "1" ? 500 : 200));
    await webhooks.emit(tenant.tenantId);
    await until("the retry's message", () => jobs.length === 1);
    expect(jobs[0]).toMatchObject({ attempt: 2 });
    await until("the retry", async () => {
      const found = await statuses(id);
      return found.length === 52 && found.every((status) => status === "delivered");
    });
  });

  test("of a healthy endpoint is settled while another transaction holds the subscription as fan-out does", async () => {
    const id = await healthy("/fan-out-holds");
    const lock = "select from subscriptions where id = $1 for share";
    await holding(lock, id, async () => {
      await webhooks.emit(tenant.tenantId);
      await until("both delivered", async () => {
        const found = await statuses(id);
        return found.length === 2 && found.every((status) => status === "delivered");
      });
    });
  });

  test("starts while other deliveries of its endpoint are being settled", async () => {
    const id = await healthy("/settle-holds");
    const gate = Promise.withResolvers<void>();
    let isRequested = false;
    receiver.behave(() => (res) => {
      isRequested = true;
      void gate.promise.then(() => res.writeHead(200).end());
    });
    await webhooks.emit(tenant.tenantId);
    await until("the attempt in progress", () => isRequested);
    const [first] = (await tenant.deliveries(id)).filter(
      ({ status }: { status: string }) => status === "pending",
    );
    receiver.behave(() => 200);
    const lock = "select from deliveries where id = $1 for update";
    await holding(lock, first.id, async () => {
      gate.resolve();
      await webhooks.emit(tenant.tenantId);
      await until("the other", async () => {
        const found = await statuses(id);
        return found.length === 3 && found.filter((status) => status === "delivered").length === 2;
      });
    });
    await until("the first", async () => (await statuses(id)).every((status) => status === "delivered"));
  });

  test("resets the failures of its endpoint if it succeeds", async () => {
    const id = await healthy("/resets");
    const health = async () =>
      (await tenant.owner().get(`/v1/webhooks/subscriptions/${id}`)).body.data.health.consecutiveFailures;
    for (let round = 0; round < 3; round += 1) {
      receiver.behave(({ headers }) => (headers["x-service-attempt"] === "1" ? 500 : 200));
      await webhooks.emit(tenant.tenantId, { round });
      await until("one failure", async () => (await health()) === 1);
      await until("the retry", async () => (await statuses(id)).every((status) => status === "delivered"));
      expect(await health()).toBe(0);
    }
  });
});
