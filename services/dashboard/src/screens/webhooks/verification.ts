// The code with which a receiver verifies that a delivery is genuine. Pure.

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
