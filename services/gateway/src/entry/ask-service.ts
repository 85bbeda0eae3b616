// Requests of the gateway itself to a service about a tenant, on connections of their own. Their paths are not forwarded, so no client can
// send them.
import type { Principal } from "@tradepost/http";
import { newId, newTraceparent } from "@tradepost/runtime";
import type { Settings } from "../config.ts";
import { exchange, openPool } from "./exchange.ts";

const CONNECTIONS = 4;
const TIMEOUT_MS = 10_000;

interface ServiceRequest {
  readonly method: "GET" | "PUT";
  readonly path: string;
  readonly body?: object;
}

/** `ask` resolves with `data` of the response. It throws unless the response is 200. */
export function startAsking(settings: Settings) {
  const open = (url: string, [secret]: Settings["ORDERS_GATEWAY_SECRET"]) => ({
    pool: openPool(url, TIMEOUT_MS, CONNECTIONS),
    secret,
    timeoutMs: TIMEOUT_MS,
    takeConnection: () => () => undefined,
    routeOf: () => "",
  });
  const services = {
    orders: open(settings.ORDERS_URL, settings.ORDERS_GATEWAY_SECRET),
    content: open(settings.CONTENT_URL, settings.CONTENT_GATEWAY_SECRET),
    webhooks: open(settings.WEBHOOKS_URL, settings.WEBHOOKS_GATEWAY_SECRET),
  };
  return {
    ask: async (
      service: keyof typeof services,
      tenantId: string,
      { method, path, body }: ServiceRequest,
    ): Promise<unknown> => {
      const { status, bytes = Buffer.alloc(0) } = await exchange(services[service], gatewayOf(tenantId), {
        ...{ method, path },
        headers: body === undefined ? {} : { "content-type": "application/json" },
        body:
          body === undefined ? { kind: "none" } : { kind: "whole", bytes: Buffer.from(JSON.stringify(body)) },
        requestId: newId(),
        traceparent: newTraceparent(),
      });
      if (status !== 200)
        throw new Error(`the ${service} service responded to ${method} ${path} with ${status}`);
      return JSON.parse(bytes.toString("utf8")).data;
    },
    stop: async () => void (await Promise.all(Object.values(services).map(({ pool }) => pool.destroy()))),
  };
}

function gatewayOf(tenantId: string): Principal {
  return {
    tenantId,
    role: "owner",
    actor: { type: "user", id: "00000000-0000-0000-0000-000000000000", name: "the gateway" },
    scopes: [],
    modules: [],
  };
}
