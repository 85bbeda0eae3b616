// What the screens of webhooks say, and the code that they offer to copy. Pure.

import type { DataOf } from "@tradepost/client/operations";
import { number } from "../../format/shop.ts";
import { outcomeText } from "../../format/webhooks.ts";

const DELIVERY_ID = "0198c5b3-2f4b-7a10-9d3c-1f2e3d4c5b6a";
const DELIVERED_AT = "2026-08-20T09:30:00.250Z";

export function exampleBody(type: string, data: object, tenantId: string): string {
  const body = { id: DELIVERY_ID, type, tenant_id: tenantId, data, delivered_at: DELIVERED_AT };
  return JSON.stringify(body, null, 2);
}

/** `12 of the latest 1,000 events match`. */
export function previewText({
  examined,
  matched,
}: Pick<DataOf<"previewFilter">, "examined" | "matched">): string {
  if (examined === 0) return "Nothing has happened yet that it could be tried on";
  if (examined === 1) return matched === 1 ? "The latest event matches" : "The latest event does not match";
  return `${number(matched)} of the latest ${number(examined)} events ${matched === 1 ? "matches" : "match"}`;
}

type Delivery = Pick<DataOf<"getDelivery">, "status" | "attempts">;

export function testText({ status, attempts }: Delivery): string {
  const last = attempts.at(-1);
  const outcome = last && outcomeText(last.outcome, last.statusCode);
  switch (status) {
    case "delivered":
      return last ? `It arrived: ${outcome}, after ${last.durationMs} ms.` : "It arrived.";
    case "retrying":
      return `Attempt ${last?.attempt ?? 1} failed${outcome ? `: ${outcome}` : ""}.`;
    case "failed":
      return `All attempts failed${outcome ? `: ${outcome}` : ""}.`;
    case "paused":
      return "It waits until the subscription is resumed.";
    case "cancelled":
      return "The subscription was deleted, so it is not sent.";
    case "pending":
      return "It is on its way.";
  }
}

export function environmentLine(secret: string): string {
  return `WEBHOOK_SECRET=${secret}`;
}

export const NODE_RECEIVER = `import { createServer } from "node:http";
import { verifyWebhook } from "@tradepost/client/webhooks";

createServer(async (req, res) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  try {
    const event = await verifyWebhook(process.env.WEBHOOK_SECRET, req.headers, Buffer.concat(chunks));
    console.log(event.type, event.data);
    res.writeHead(204).end();
  } catch {
    res.writeHead(401).end();
  }
}).listen(3000);`;
