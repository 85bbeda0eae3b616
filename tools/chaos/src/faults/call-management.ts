import type { ChaosPlatform } from "../platform.ts";

/** Calls RabbitMQ's management API; `path` is below /api. Resolves to the JSON, or null for an empty response. */
export async function callManagement(
  platform: ChaosPlatform,
  method: "GET" | "DELETE",
  path: string,
): Promise<unknown> {
  const base = new URL(platform.rabbitmq.managementUrl);
  const response = await fetch(`${base.origin}/api/${path}`, {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${base.username}:${base.password}`).toString("base64")}`,
    },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} of the management API failed with ${response.status}`);
  return text === "" ? null : JSON.parse(text);
}
