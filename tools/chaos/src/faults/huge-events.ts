// A backlog of events of 0.9 to 1.9 MB, which is published at once when the broker is back. No service dies of it.
import { randomBytes } from "node:crypto";
import { sleep } from "@tradepost/runtime";
import { Agent } from "undici";
import { inWords, startPeakMemory } from "../peak-memory.ts";
import { HOSTILE_TYPE } from "../tenants.ts";
import type { Fault, Strike } from "./fault.ts";

const EVENTS_EACH = 200;
const BYTES = [900_000, 1_200_000, 1_500_000, 1_900_000];
const AT_ONCE = 4;
const MEMORY_MIB_MAX = 768;
/** A slow machine writes fewer. */
const WRITE_WITHIN_MS = 120_000;
const DELIVERED_WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 500;

export const hugeEvents: Fault = {
  name: "huge events",
  keepsPace: true,
  strike: async (strike) => {
    const { platform, receiver, note, fail } = strike;
    const memory = startPeakMemory(platform, ["orders", "content", "webhooks"]);
    const before = receiver.hostileDeliveries.size;
    platform.process("rabbitmq").kill({ pause: true });
    const taken = await writeAll(strike);
    note(`taken while the broker was down: ${taken.entries} entries and ${taken.orders} orders`);
    await platform.process("rabbitmq").resume();
    await platform.untilReady();
    const delivered = () => receiver.hostileDeliveries.size - before;
    const deadline = performance.now() + DELIVERED_WITHIN_MS;
    while (delivered() < taken.entries && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
    if (delivered() < taken.entries) fail(`${taken.entries - delivered()} huge webhooks not delivered`);
    const peaks = await memory.stop();
    note(`at most ${inWords(peaks)}`);
    if (Math.max(...peaks.values()) > MEMORY_MIB_MAX) fail(`more than ${MEMORY_MIB_MAX} MiB for huge events`);
    await platform.untilReady();
  },
};

/** Out: how many were taken. */
async function writeAll({ platform, hostile }: Strike): Promise<{ entries: number; orders: number }> {
  const agent = new Agent({ connections: AT_ONCE });
  // A short text again and again, so that the database's disk is not what is measured.
  const text = randomBytes(3_000).toString("base64");
  const filler = (index: number) => text.repeat(Math.ceil((BYTES[index % BYTES.length] ?? 0) / text.length));
  const post = async (path: string, body: object) => {
    const response = await agent.request({
      origin: platform.url,
      path,
      method: "POST",
      headers: { authorization: `Bearer ${hostile.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    });
    await response.body.dump();
    return response.statusCode === 201;
  };
  const taken = { entries: 0, orders: 0 };
  let next = 0;
  const deadline = performance.now() + WRITE_WITHIN_MS;
  const worker = async () => {
    while (next < EVENTS_EACH && performance.now() < deadline) {
      const index = next++;
      const entry = { type: HOSTILE_TYPE, data: { text: filler(index) } };
      if (await post("/v1/entries", entry).catch(() => false)) taken.entries += 1;
      const items = [{ sku: "A", name: "A" }];
      const order = { customerId: hostile.customerId, items, metadata: { text: filler(index) } };
      if (await post("/v1/orders", order).catch(() => false)) taken.orders += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await agent.close();
  return taken;
}
