// Events of 0.9 to 1.9 MB that pile up and are published at once when the broker is up again. No service may run out of memory.
import { randomBytes } from "node:crypto";
import { sleep } from "@tradepost/runtime";
import { Agent } from "undici";
import { formatPeaks, trackPeakMemory } from "../process-memory.ts";
import { HOSTILE_CONTENT_TYPE } from "../tenants.ts";
import type { Fault, FaultContext } from "./fault.ts";

const EVENTS_OF_EACH_KIND = 200;
const EVENT_BYTES = [900_000, 1_200_000, 1_500_000, 1_900_000];
const CONCURRENCY = 4;
const MEMORY_MIB_MAX = 768;
const WRITE_TIMEOUT_MS = 120_000;
const DELIVERY_TIMEOUT_MS = 180_000;
const POLL_MS = 500;

export const hugeEvents: Fault = {
  name: "huge events",
  mustStayFast: true,
  inject: async (context) => {
    const { platform, webhookObserver, note, fail } = context;
    const memory = trackPeakMemory(platform, ["orders", "content", "webhooks"]);
    const before = webhookObserver.hostileDeliveryIds.size;
    platform.process("rabbitmq").kill({ pause: true });
    const created = await createAll(context);
    note(`created while the broker was down: ${created.entries} entries and ${created.orders} orders`);
    await platform.process("rabbitmq").resume();
    await platform.untilReady();
    const delivered = () => webhookObserver.hostileDeliveryIds.size - before;
    const deadline = performance.now() + DELIVERY_TIMEOUT_MS;
    while (delivered() < created.entries && performance.now() < deadline) await sleep(POLL_MS);
    if (delivered() < created.entries) fail(`${created.entries - delivered()} huge webhooks not delivered`);
    const peaks = await memory.stop();
    note(`peak memory: ${formatPeaks(peaks)}`);
    if (Math.max(...peaks.values()) > MEMORY_MIB_MAX) fail(`more than ${MEMORY_MIB_MAX} MiB for huge events`);
    await platform.untilReady();
  },
};

async function createAll({
  platform,
  hostileTenant,
}: FaultContext): Promise<{ entries: number; orders: number }> {
  const agent = new Agent({ connections: CONCURRENCY });
  // Repeated text compresses well, so the disk of the database is not the bottleneck.
  const text = randomBytes(3_000).toString("base64");
  const filler = (index: number) =>
    text.repeat(Math.ceil((EVENT_BYTES[index % EVENT_BYTES.length] ?? 0) / text.length));
  const post = async (path: string, body: object) => {
    const response = await agent.request({
      origin: platform.url,
      path,
      method: "POST",
      headers: { authorization: `Bearer ${hostileTenant.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    });
    await response.body.dump();
    return response.statusCode === 201;
  };
  const created = { entries: 0, orders: 0 };
  let next = 0;
  const deadline = performance.now() + WRITE_TIMEOUT_MS;
  const worker = async () => {
    while (next < EVENTS_OF_EACH_KIND && performance.now() < deadline) {
      const index = next++;
      const entry = { type: HOSTILE_CONTENT_TYPE, data: { text: filler(index) } };
      if (await post("/v1/entries", entry).catch(() => false)) created.entries += 1;
      const items = [{ sku: "A", name: "A" }];
      const order = { customerId: hostileTenant.customerId, items, metadata: { text: filler(index) } };
      if (await post("/v1/orders", order).catch(() => false)) created.orders += 1;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  await agent.close();
  return created;
}
