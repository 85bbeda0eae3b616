// An attempt that takes longer than a claim lasts is not repeated while its process lives.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Receiver, startReceiver, testCertificate, until } from "@tradepost/testing";
import { startTestWebhooks, type TestWebhooks } from "./support/webhooks.ts";

const LOCK_MS = 900;

let webhooks: TestWebhooks;
let receiver: Receiver;
beforeAll(async () => {
  const settings = { WEBHOOKS_RETRY_SCHEDULE: "1h", WEBHOOKS_TIMEOUT_MS: "60000" };
  webhooks = await startTestWebhooks(settings, { lockMs: LOCK_MS });
  await webhooks.startReplica();
  receiver = await startReceiver(await testCertificate());
});
afterAll(async () => {
  await receiver.stop();
  await webhooks.stop();
});

test.each([
  [200, "delivered"],
  [500, "retrying"],
])(
  "an attempt during which its claim would expire three times is made once, and is recorded: %i",
  async (status, recorded) => {
    const tenant = webhooks.tenant();
    const gate = Promise.withResolvers<number>();
    receiver.received.length = 0;
    receiver.behave(() => (res) => void gate.promise.then((status) => res.writeHead(status).end()));
    const { id } = await tenant.subscribe(`${receiver.url}/hook`);
    await webhooks.emit(tenant.tenantId);
    await receiver.waitFor("the request", () => true);
    // Both processes look for expired claims every second.
    await until("the time of three claims to pass", async () => {
      const { rows } = await webhooks.pool.query(
        "select enqueued_at < now() - 4 * $2 * interval '1 ms' as past, locked_until > now() as held from deliveries where subscription_id = $1",
        [id, LOCK_MS],
      );
      return rows[0].past && rows[0].held;
    });
    gate.resolve(status);
    const delivery = await tenant.untilDelivery(id, recorded);
    expect([delivery.attemptCount, receiver.received.length]).toEqual([1, 1]);
  },
);
