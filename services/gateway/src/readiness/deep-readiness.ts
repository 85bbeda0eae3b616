// The checks of the gateway's /readyz/deep beyond its own: each service is ready, and the canary arrives. /readyz does not
// include them: most requests do not need webhooks to be on time, and a load balancer that stopped sending traffic for a
// late canary would turn late webhooks into an outage.
import type { Readiness } from "@tradepost/http";

// `serveHttp` fails a check after 2 s, so a longer timeout would not help.
const TIMEOUT_MS = 2_000;

interface State {
  readonly missing: readonly string[];
  readonly degraded?: readonly string[];
}

/** The canary counts as late if the webhooks service does not respond, and as on time if it is switched off. */
export function deepReadiness(services: {
  ORDERS_URL: string;
  CONTENT_URL: string;
  WEBHOOKS_URL: string;
}): Readiness {
  return {
    orders: () => checkReady(services.ORDERS_URL),
    content: () => checkReady(services.CONTENT_URL),
    webhooks: () => checkReady(services.WEBHOOKS_URL),
    canary: () => checkCanary(services.WEBHOOKS_URL),
  };
}

async function checkReady(url: string): Promise<void> {
  const { missing, degraded = [] } = (await (await get(url, "/readyz")).json()) as State;
  const absent = [...missing, ...degraded];
  if (absent.length > 0) throw new Error(`not ready: ${absent.join(", ")}`);
}

async function checkCanary(url: string): Promise<void> {
  const { missing } = (await (await get(url, "/readyz/deep")).json()) as State;
  if (missing.includes("canary") || missing.includes("stopping")) throw new Error("the canary is late");
}

function get(url: string, path: string): Promise<Response> {
  return fetch(new URL(path, url), { signal: AbortSignal.timeout(TIMEOUT_MS) });
}
