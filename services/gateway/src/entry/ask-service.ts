// Sends the gateway's own requests about tenants to a service, on separate connections. Their paths are not forwarded.
import { NO_ID, principalNamed } from "@tradepost/http";
import { type Metrics, newId, newTraceparent } from "@tradepost/runtime";
import type { Settings } from "../config.ts";
import { type AskService, SERVICES, type ServiceName, type ServiceRequest } from "../services.ts";
import { exchange, openPool, type Upstream } from "./exchange.ts";
import { watchSignatures } from "./signatures.ts";

const CONNECTIONS = 4;
const TIMEOUT_MS = 10_000;
// 404 from a service that accepts the signature, else 401.
const UNROUTED_PATH = "/v1/signature";

export function addressOf(service: ServiceName, settings: Settings) {
  const name = service.toUpperCase() as Uppercase<ServiceName>;
  return { url: settings[`${name}_URL`], secret: settings[`${name}_GATEWAY_SECRET`][0] };
}

export function startAsking(settings: Settings, metrics: Metrics) {
  const open = (service: ServiceName): Upstream => {
    const { url, secret } = addressOf(service, settings);
    return {
      pool: openPool(url, TIMEOUT_MS, CONNECTIONS),
      secret,
      timeoutMs: TIMEOUT_MS,
      takeConnection: () => () => undefined,
      routeOf: () => "",
      noteSignature: (refusedFor) => signatures.note(service, refusedFor),
    };
  };
  const services = { orders: open("orders"), content: open("content"), webhooks: open("webhooks") };
  const send = (service: ServiceName, tenantId: string, { method, path, body }: ServiceRequest) =>
    exchange(services[service], principalNamed("the gateway", "owner", tenantId), {
      ...{ method, path },
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body:
        body === undefined ? { kind: "none" } : { kind: "whole", bytes: Buffer.from(JSON.stringify(body)) },
      requestId: newId(),
      traceparent: newTraceparent(),
    });
  /** Rejects if the service refuses the signature, with the fault as `degraded`. */
  const checkSignature = async (service: ServiceName) => {
    try {
      await send(service, NO_ID, { method: "GET", path: UNROUTED_PATH });
    } catch (error) {
      const degraded = signatures.faultOf(service);
      // A proxy in front of cells may have no place for a request without a tenant.
      if (degraded !== undefined) throw Object.assign(error as Error, { degraded });
    }
  };
  const signatures = watchSignatures(
    metrics,
    async () => void (await Promise.allSettled(SERVICES.map(checkSignature))),
  );
  return {
    signatures,
    checkSignature,
    ask: (async (service, tenantId, request) => {
      const { status, bytes = Buffer.alloc(0) } = await send(service, tenantId, request);
      if (status !== 200) {
        const { method, path } = request;
        throw Object.assign(
          new Error(`the ${service} service responded to ${method} ${path} with ${status}`),
          { status },
        );
      }
      return JSON.parse(bytes.toString("utf8")).data;
    }) satisfies AskService,
    stop: async () => void (await Promise.all(Object.values(services).map(({ pool }) => pool.destroy()))),
  };
}
