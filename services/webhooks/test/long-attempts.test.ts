// An attempt that takes longer than a claim lasts is not repeated while its process lives.
import { until } from "@tradepost/testing";
import { startAttempt, useWebhooks } from "./support/use-webhooks.ts";

const LOCK_MS = 900;

const { webhooks, receiver, tenant } = useWebhooks(
  { WEBHOOKS_RETRY_SCHEDULE: "1h", WEBHOOKS_TIMEOUT_MS: "60000" },
  { lockMs: LOCK_MS },
);
beforeAll(async () => {
  await webhooks.startReplica();
});

test.each([
  [200, "delivered"],
  [500, "retrying"],
])(
  "an attempt during which its claim would expire three times is made once, and is recorded: %i",
  async (status, recorded) => {
    const { id, respond } = await startAttempt({ receiver, tenant });
    // Both processes look for expired claims every second.
    await until("the time of three claims to pass", async () => {
      const rows = await webhooks.query(
        "select enqueued_at < now() - 4 * $2 * interval '1 ms' as past, locked_until > now() as held from deliveries where subscription_id = $1",
        id,
        LOCK_MS,
      );
      return rows[0].past && rows[0].held;
    });
    respond(status);
    const delivery = await tenant.untilDelivery(id, recorded);
    expect([delivery.attemptCount, receiver.received.length]).toEqual([1, 1]);
  },
);
