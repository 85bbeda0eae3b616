// Whatever the clients of a listener do: each delivery is leased by one at a time, and ends delivered or failed after exactly eight
// attempts. A failure names the seed.
import { randomInt } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { numbersFrom, until } from "@tradepost/testing";
import { leaseRandomly, type RandomLeases } from "./support/lease-randomly.ts";
import { listen, type TestListener } from "./support/listen.ts";
import { startTestWebhooks, type TestWebhooks } from "./support/webhooks.ts";

const EVENTS = 60;
const SEED = randomInt(2 ** 31);

interface Ended {
  readonly id: string;
  readonly status: string;
  readonly attemptCount: number;
  /** The attempts in the log with their status codes. */
  readonly attempts: readonly [attempt: number, statusCode: number][];
}

describe(`a listener with random clients, seed ${SEED}`, () => {
  let webhooks: TestWebhooks;
  let listener: TestListener;
  let events: string[];
  let run: RandomLeases;
  let ended: Ended[];

  beforeAll(async () => {
    webhooks = await startTestWebhooks({
      WEBHOOKS_RETRY_SCHEDULE: "10ms,20ms,30ms,40ms,50ms,60ms,70ms",
      WEBHOOKS_LEASE_MS: "200",
    });
    const tenant = webhooks.tenant();
    listener = await listen(tenant);
    const emitting = Promise.all(Array.from({ length: EVENTS }, () => webhooks.emit(tenant.tenantId)));
    await until("the first deliveries", async () => (await listener.read()).waiting.pending > 0);
    events = await emitting;
    run = await leaseRandomly(webhooks, listener, numbersFrom(SEED));
    ({ rows: ended } = await webhooks.pool.query<Ended>(
      `select id, status, attempt_count as "attemptCount",
              (select json_agg(json_build_array(attempt, status_code) order by attempt) from attempts
                where attempts.tenant_id = delivery_log.tenant_id and delivery_id = delivery_log.id) as attempts
         from delivery_log where subscription_id = $1`,
      [listener.id],
    ));
  }, 120_000);
  afterAll(() => webhooks.stop());

  test("has one delivery of each event", () => {
    expect([ended.length, new Set(ended.map(({ id }) => id)).size]).toEqual([events.length, events.length]);
  });

  test("leases a delivery to one client at a time", () => {
    const overlaps = [
      ...Map.groupBy(run.leases, ({ deliveryId, attempt }) => `${deliveryId} ${attempt}`).values(),
    ]
      .map((leases) => leases.toSorted((a, b) => a.from - b.from))
      .flatMap((leases) => leases.filter((lease, index) => lease.from < (leases[index - 1]?.until ?? 0)));
    expect(overlaps).toEqual([]);
  });

  test("ends each delivery as its counted results say, and logs each attempt once", () => {
    for (const { id, status, attemptCount, attempts } of ended) {
      const results = (run.counted.get(id) ?? []).toSorted((a, b) => a.attempt - b.attempt);
      expect([id, attempts]).toEqual([id, results.map(({ attempt, statusCode }) => [attempt, statusCode])]);
      expect(attempts.map(([attempt]) => attempt)).toEqual(
        Array.from({ length: attemptCount }, (_, index) => index + 1),
      );
      const statusCodes = attempts.map(([, statusCode]) => statusCode);
      if (status === "failed") expect([id, statusCodes]).toEqual([id, Array(8).fill(500)]);
      else
        expect([id, status, statusCodes]).toEqual([
          id,
          "delivered",
          [...Array(attemptCount - 1).fill(500), 200],
        ]);
    }
  });
});
