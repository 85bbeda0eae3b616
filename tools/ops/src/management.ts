// Reads from RabbitMQ's management API.
import { brokerUrls } from "@tradepost/runtime";

/**
 * Gets a path under /api. `managementUrl` contains the credentials and may have the addresses of several nodes, of which the first
 * that responds is asked. Throws an Error, with a message for the operator, on failure.
 */
export async function askManagement(managementUrl: string, path: string): Promise<unknown> {
  const urls = brokerUrls(managementUrl).map((url) => new URL(url));
  const causes: unknown[] = [];
  for (const url of urls) {
    const response = await ask(url, path).catch((cause: unknown) => void causes.push(cause));
    if (response === undefined) continue;
    if (!response.ok) throw new Error(`RabbitMQ's management API responded ${response.status} to ${path}.`);
    return await response.json();
  }
  const hosts = urls.map(({ host }) => host).join(", ");
  throw new Error(`RabbitMQ's management API at ${hosts} does not respond.`, { cause: causes[0] });
}

async function ask(url: URL, path: string): Promise<Response> {
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return await fetch(`${url.protocol}//${url.host}/api${path}`, {
    headers: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` },
  });
}
