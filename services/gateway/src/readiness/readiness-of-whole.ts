// What /readyz/whole of the gateway asks beyond itself: whether the services behind it are ready, and whether the canary
// comes through. A late canary closes nothing: most of what customers do needs no webhook to be on time, and a load
// balancer that went by it would turn late webhooks into an outage.
import type { Readiness } from "@tradepost/http";

// A check has 2 s in all; what takes that long is not well, whichever of the two gives up first.
const TIMEOUT_MS = 2_000;

/** In: where the services are. A canary of which nothing can be learnt counts as late; one that is switched off does not. */
export function readinessOfWhole(at: {
  ORDERS_URL: string;
  CONTENT_URL: string;
  WEBHOOKS_URL: string;
}): Readiness {
  return {
    orders: () => ready(at.ORDERS_URL),
    content: () => ready(at.CONTENT_URL),
    webhooks: () => ready(at.WEBHOOKS_URL),
    canary: () => canaryComesThrough(at.WEBHOOKS_URL),
  };
}

async function ready(url: string): Promise<void> {
  const response = await ask(url, "/readyz");
  await response.body?.cancel();
  if (!response.ok) throw new Error(`not ready: ${response.status}`);
}

async function canaryComesThrough(url: string): Promise<void> {
  const { missing } = (await (await ask(url, "/readyz/whole")).json()) as { missing: string[] };
  if (missing.includes("canary") || missing.includes("stopping")) throw new Error("no canary comes through");
}

function ask(url: string, path: string): Promise<Response> {
  return fetch(new URL(path, url), { signal: AbortSignal.timeout(TIMEOUT_MS) });
}
