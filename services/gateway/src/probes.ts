// Probes for operators: the gateway's metrics, and the readiness of the platform behind it.
import { type Readiness, startListening } from "@tradepost/http";
import type { Metrics } from "@tradepost/runtime";
import type { Settings } from "./config.ts";
import type { ServiceName } from "./services.ts";

/** On a separate port, so that the metrics are not public; nothing without METRICS_PORT. Rejects if the port is not available. */
export async function serveMetrics(metrics: Metrics, settings: Pick<Settings, "HOST" | "METRICS_PORT">) {
  const { HOST: host, METRICS_PORT: port } = settings;
  if (port === undefined) return { url: undefined, stop: async () => {} };
  const { url, handOver, close } = await startListening({ host, port });
  handOver(async (req, res) => {
    if (req.method !== "GET" || req.url !== "/metrics") return void res.writeHead(404).end();
    res
      .writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" })
      .end(await metrics.text());
  });
  return { url: `${url}/metrics`, stop: close };
}

// `serveHttp` fails a check after 2 s, so a longer timeout would not help.
const TIMEOUT_MS = 2_000;

/**
 * The checks that /readyz/deep adds to /readyz. Most requests do not depend on webhooks: a load balancer that stopped sending
 * traffic for a late canary would turn late webhooks into an outage.
 *
 * The canary counts as late if the webhooks service does not respond, and as on time if it is switched off.
 */
export function deepReadiness(
  services: { ORDERS_URL: string; CONTENT_URL: string; WEBHOOKS_URL: string },
  checkSignature: (service: ServiceName) => Promise<void>,
): Readiness {
  const check = async (service: ServiceName, url: string) => {
    await Promise.all([checkReady(url), checkSignature(service)]);
  };
  return {
    orders: () => check("orders", services.ORDERS_URL),
    content: () => check("content", services.CONTENT_URL),
    webhooks: () => check("webhooks", services.WEBHOOKS_URL),
    canary: () => checkCanary(services.WEBHOOKS_URL),
  };
}

async function checkReady(url: string): Promise<void> {
  const { missing, degraded = [] } = await stateOf(url, "/readyz");
  const absent = [...missing, ...degraded];
  if (absent.length > 0) throw new Error(`not ready: ${absent.join(", ")}`);
}

async function checkCanary(url: string): Promise<void> {
  const { missing } = await stateOf(url, "/readyz/deep");
  if (missing.includes("canary") || missing.includes("stopping")) throw new Error("the canary is late");
}

async function stateOf(url: string, path: string) {
  const response = await fetch(new URL(path, url), { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return (await response.json()) as { missing: string[]; degraded?: string[] };
}
