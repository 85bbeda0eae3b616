import { brokerUrls } from "@tradepost/runtime";
import { Unreachable } from "./with-database.ts";

/** In ms. A busy node takes seconds for its list of queues. */
const TIMEOUT_MS = 20_000;
// Every node responds to this at once.
const CHEAP_PATH = "/whoami";
const CHEAP_TIMEOUT_MS = 4_000;

/**
 * Gets a path under /api. `managementUrl` contains the credentials and may have the addresses of several nodes, which are asked in
 * turn until one has responded within `timeoutMs`. Throws Unreachable if no node does, and an Error, with a message for the operator, if
 * a node refuses.
 */
export async function askManagement(
  managementUrl: string,
  path: string,
  timeoutMs = TIMEOUT_MS,
): Promise<unknown> {
  const urls = brokerUrls(managementUrl).map((url) => new URL(url));
  const causes: unknown[] = [];
  for (const url of urls) {
    const response = await ask(url, CHEAP_PATH, Math.min(timeoutMs, CHEAP_TIMEOUT_MS))
      .then(() => ask(url, path, timeoutMs))
      .catch((cause: unknown) => void causes.push(cause));
    if (response === undefined) continue;
    if (response.status !== 200)
      throw new Error(`RabbitMQ's management API responded ${response.status} to ${path}.`);
    return JSON.parse(response.text);
  }
  const hosts = urls.map(({ host }) => host).join(", ");
  throw new Unreachable(managementUrl, `RabbitMQ's management API at ${hosts} does not respond`, causes[0]);
}

async function ask(url: URL, path: string, timeoutMs: number): Promise<{ status: number; text: string }> {
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const response = await fetch(`${url.protocol}//${url.host}/api${path}`, {
    headers: { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` },
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: response.status, text: await response.text() };
}
