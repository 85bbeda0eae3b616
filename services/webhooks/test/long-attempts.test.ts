// An attempt may take longer than its claim lasts: it is not repeated while its process lives. A stop of the service waits for the
// attempts in progress, however long they take (interface §9).
import path from "node:path";
import { sleep } from "@tradepost/runtime";
import { startServiceProcess, until } from "@tradepost/testing";
import { startAttempt, useWebhooks } from "./support/use-webhooks.ts";

const LOCK_MS = 900;
const SERVICE = path.resolve(import.meta.dirname, "..");
// Longer than orchestrators commonly wait after SIGTERM.
const RESPONSE_MS = 10_500;

const { webhooks, receiver, tenant } = useWebhooks(
  { WEBHOOKS_RETRY_SCHEDULE: "1h", WEBHOOKS_TIMEOUT_MS: "60000" },
  { lockMs: LOCK_MS },
);

test.each([
  [200, "delivered"],
  [500, "retrying"],
])(
  "an attempt during which its claim would expire three times is made once, and is recorded: %i",
  async (status, recorded) => {
    const replica = await webhooks.startReplica();
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
    await replica.stop();
  },
);

test("a service that stops during an attempt waits for its result and exits with 0", async () => {
  const { id } = await tenant.subscribe("/slow");
  const { NODE_EXTRA_CA_CERTS, PATH } = process.env;
  const service = await startServiceProcess(path.join(SERVICE, "src/main.ts"), {
    cwd: SERVICE,
    env: { LOG_LEVEL: "error", NODE_EXTRA_CA_CERTS, PATH, ...webhooks.environment },
  });
  // Only the process is left to attempt the delivery.
  await webhooks.stopService();
  receiver.behave(() => (res) => void sleep(RESPONSE_MS).then(() => res.writeHead(200).end()));
  await tenant.emit();
  const request = await receiver.waitFor("the request", () => true);
  expect(await service.kill("SIGTERM")).toBe(0);

  const text = "select id, status, attempt_count from all_deliveries where subscription_id = $1";
  const delivery = { id: request.headers["x-service-delivery"], status: "delivered", attempt_count: 1 };
  expect(await webhooks.query(text, id)).toEqual([delivery]);
  expect(receiver.received).toHaveLength(1);
});
