// Makes one attempt: a signed POST to the subscription's URL within one deadline. It does not throw for faults of a receiver or
// the network; it returns an outcome that reveals nothing about the platform's own network.
import type { KeyObject } from "node:crypto";
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import { Agent, type Dispatcher } from "undici";
import { signatureHeaders } from "../delivery/signature.ts";
import type { AddressGuard } from "../subscription/address.ts";
import type { ClaimedDelivery } from "./claim.ts";
import { Exchange, type Result } from "./exchange.ts";
import { guardedConnector } from "./guarded-connector.ts";
import { type PreparedEndpoint, preparedEndpoints } from "./prepared-endpoints.ts";

export interface Attempt extends Result {
  readonly at: Date;
  readonly durationMs: number;
}

export type Send = (delivery: ClaimedDelivery) => Promise<Attempt>;

const USER_AGENT = "Tradepost-Webhooks/1";
const RESPONSE_HEADER_BYTES_MAX = 16 * 1024;
// About 2 KiB each.
const ENDPOINTS_PREPARED_MAX = 2_000;

export function startSend(options: {
  /** The deadline of a whole attempt. */
  timeoutMs: number;
  /** The most attempts at a time. */
  concurrency: number;
  /** Opens the signing secrets. */
  sealingKey: KeyObject;
  guard: AddressGuard;
  /** For the canary's own deliveries. */
  canaryAgent?: Agent | undefined;
}) {
  const agent = new Agent({
    // An attempt never waits for a connection: it could time out and count although no request was sent.
    connections: options.concurrency,
    pipelining: 1,
    maxHeaderSize: RESPONSE_HEADER_BYTES_MAX,
    allowH2: false,
    connect: guardedConnector(options.timeoutMs, options.guard),
    // The deadline of the exchange covers both.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const prepare = preparedEndpoints(options.sealingKey, ENDPOINTS_PREPARED_MAX);
  const send: Send = async (delivery) => {
    // A secret that cannot be opened is a fault of the platform: it throws, and no attempt is counted.
    const endpoint = prepare(delivery);
    const chosenAgent = delivery.tenantId === CANARY_TENANT_ID ? (options.canaryAgent ?? agent) : agent;
    const at = new Date();
    const startedAt = performance.now();
    const result = await post(chosenAgent, endpoint, delivery, at, options.timeoutMs);
    return { at, durationMs: Math.round(performance.now() - startedAt), ...result };
  };
  return { send, stop: () => agent.destroy() };
}

function post(
  agent: Dispatcher,
  { origin, path, keys, previousKeys }: PreparedEndpoint,
  delivery: ClaimedDelivery,
  at: Date,
  timeoutMs: number,
): Promise<Result> {
  const body = bodyOf(delivery, at);
  return new Promise((resolve) => {
    agent.dispatch(
      {
        origin,
        path,
        method: "POST",
        body,
        headers: {
          "Content-Type": "application/json",
          "User-Agent": USER_AGENT,
          "Accept-Encoding": "identity",
          "X-service-Event": delivery.type,
          "X-service-Delivery": delivery.deliveryId,
          "X-service-Attempt": String(delivery.attempt),
          ...signatureHeaders(keys, delivery.deliveryId, at, body, previousKeys),
        },
      },
      new Exchange(timeoutMs, resolve),
    );
  });
}

/** The body of interface §7. The event's data is inserted byte for byte as it is stored. */
function bodyOf(delivery: ClaimedDelivery, at: Date): Buffer {
  const start = JSON.stringify({
    id: delivery.deliveryId,
    type: delivery.type,
    tenant_id: delivery.tenantId,
  });
  const end = JSON.stringify({ delivered_at: at.toISOString() });
  return Buffer.from(`${start.slice(0, -1)},"data":${delivery.data},${end.slice(1)}`);
}
