// Makes one attempt: a signed POST to the subscription's URL within one deadline. It does not throw for faults of a receiver or
// the network; it returns an outcome that reveals nothing about the platform's own network.
import type { KeyObject } from "node:crypto";
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import { Agent, type Dispatcher, errors } from "undici";
import type { Outcome } from "../delivery/delivery.ts";
import { signatureHeaders } from "../delivery/signature.ts";
import type { AddressGuard } from "../subscription/address.ts";
import { openSecret } from "../subscription/secret.ts";
import type { ClaimedDelivery } from "./claim.ts";
import { guardedConnector } from "./guarded-connector.ts";
import { outcomeOfError } from "./outcome-of-error.ts";

export interface Attempt {
  readonly at: Date;
  readonly durationMs: number;
  readonly outcome: Outcome;
  readonly statusCode: number | null;
  /** The first 2 KiB, as text. */
  readonly responseBody: string | null;
}

export type Send = (delivery: ClaimedDelivery) => Promise<Attempt>;

const USER_AGENT = "Tradepost-Webhooks/1";
// A larger response body is not read to its end: its socket is destroyed.
const RESPONSE_BYTES_READ_MAX = 64 * 1024;
const RESPONSE_BYTES_STORED_MAX = 2 * 1024;
const RESPONSE_HEADER_BYTES_MAX = 16 * 1024;
// Responses with a status of 1xx before the final one. Some servers send one or two; no honest one sends many.
const INTERIM_RESPONSES_MAX = 16;

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
    headersTimeout: options.timeoutMs,
    bodyTimeout: options.timeoutMs,
  });
  const send: Send = async (delivery) => {
    const { secretSealed, previousSecretSealed } = delivery;
    // A secret that cannot be opened is a fault of the platform: it throws, and no attempt is counted.
    const open = (sealed: Buffer) =>
      openSecret(sealed, options.sealingKey, delivery.tenantId, delivery.subscriptionId);
    const secrets = [
      open(secretSealed),
      previousSecretSealed ? open(previousSecretSealed) : undefined,
    ] as const;
    const chosenAgent = delivery.tenantId === CANARY_TENANT_ID ? (options.canaryAgent ?? agent) : agent;
    const at = new Date();
    const startedAt = performance.now();
    const result = await post(chosenAgent, delivery, secrets, at, options.timeoutMs).catch(
      (error: unknown) => ({
        outcome: outcomeOfError(error),
        statusCode: null,
        responseBody: null,
      }),
    );
    return { at, durationMs: Math.round(performance.now() - startedAt), ...result };
  };
  return { send, stop: () => agent.destroy() };
}

async function post(
  agent: Agent,
  delivery: ClaimedDelivery,
  [secret, previousSecret]: readonly [string, string | undefined],
  at: Date,
  timeoutMs: number,
): Promise<Omit<Attempt, "at" | "durationMs">> {
  const url = new URL(delivery.url);
  const body = bodyOf(delivery, at);
  // The timer is cleared at the end of the attempt: until it fires it keeps the whole attempt in memory.
  using deadline = deadlineIn(timeoutMs);
  const response = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: "POST",
    body,
    signal: deadline.signal,
    onInfo: limitInterimResponses(),
    headers: {
      "Content-Type": "application/json",
      "User-Agent": USER_AGENT,
      "Accept-Encoding": "identity",
      "X-service-Event": delivery.type,
      "X-service-Delivery": delivery.deliveryId,
      "X-service-Attempt": String(delivery.attempt),
      ...signatureHeaders(secret, delivery.deliveryId, at, body, previousSecret),
    },
  });
  const responseBody = await readStart(response);
  const isSuccess = response.statusCode >= 200 && response.statusCode < 300;
  return { outcome: isSuccess ? "delivered" : "http_status", statusCode: response.statusCode, responseBody };
}

function deadlineIn(timeoutMs: number): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException("too late", "TimeoutError")), timeoutMs);
  return { signal: controller.signal, [Symbol.dispose]: () => clearTimeout(timer) };
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

function limitInterimResponses(): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > INTERIM_RESPONSES_MAX) throw new errors.ResponseExceededMaxSizeError();
  };
}

/**
 * Reads a short body, by its `content-length`, to its end, so that the connection is reused; any other body up to
 * `RESPONSE_BYTES_READ_MAX`.
 */
async function readStart({ body, headers }: Dispatcher.ResponseData): Promise<string> {
  const isShort = Number(headers["content-length"]) <= RESPONSE_BYTES_READ_MAX;
  const bytes = isShort
    ? Buffer.from(await body.arrayBuffer())
    : await readUpTo(body, RESPONSE_BYTES_READ_MAX);
  return bytes.subarray(0, RESPONSE_BYTES_STORED_MAX).toString("utf8").replaceAll("\u0000", "\uFFFD");
}

async function readUpTo(body: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Leaving the loop destroys the body and its socket.
    if (bytes >= bytesMax) break;
  }
  return Buffer.concat(chunks);
}
