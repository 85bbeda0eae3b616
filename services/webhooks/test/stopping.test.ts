// An attempt that is in progress when the service stops comes to its end, however long it may take (interface §9).
import path from "node:path";
import { sleep } from "@tradepost/runtime";
import { startServiceProcess } from "@tradepost/testing";
import { useWebhooks } from "./support/use-webhooks.ts";

const SERVICE = path.resolve(import.meta.dirname, "..");
// Longer than orchestrators commonly wait after SIGTERM.
const RESPONSE_MS = 10_500;

const { webhooks, receiver } = useWebhooks({ WEBHOOKS_TIMEOUT_MS: "14000" });

test("a service that stops during an attempt waits for its result and exits with 0", async () => {
  const tenant = webhooks.tenant();
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
