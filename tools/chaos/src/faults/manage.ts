// Asks RabbitMQ's management API to change something.
import type { ChaosPlatform } from "../platform.ts";

/** In: a path below /api. Out: the JSON in the response, or null. Rejects where it is refused. */
export async function manage(platform: ChaosPlatform, method: string, what: string): Promise<unknown> {
  const base = new URL(platform.rabbitmq.managementUrl);
  const response = await fetch(`${base.origin}/api/${what}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${base.username}:${base.password}`).toString("base64")}`,
    },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`management ${method} ${what}: ${response.status}`);
  return text === "" ? null : JSON.parse(text);
}
