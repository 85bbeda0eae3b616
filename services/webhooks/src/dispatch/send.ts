// Makes one attempt: a signed POST to the subscription's URL within one deadline. Never throws for what a receiver or
// the network does; it returns what happened, in words that tell a tenant nothing about our network.
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
// Of an answer only the status counts; more than this of its body is not worth reading, and its socket is destroyed.
const RESPONSE_BYTES_READ_MAX = 64 * 1024;
const RESPONSE_BYTES_KEPT_MAX = 2 * 1024;
const RESPONSE_HEADER_BYTES_MAX = 16 * 1024;
// Those before the answer itself (1xx); some servers send one or two, none without end.
const INTERIM_RESPONSES_MAX = 16;

/**
 * In: the deadline of a whole attempt, how many may be under way at once, the key that opens signing secrets, which
 * addresses may be called, and the connections of the canary's own deliveries, where there are any.
 */
export function startSend(options: {
  timeoutMs: number;
  concurrency: number;
  sealingKey: KeyObject;
  guard: AddressGuard;
  canaryAgent?: Agent | undefined;
}) {
  const agent = new Agent({
    // As many to one origin as there are attempts: one that waited here for a connection would use up its time, and
    // count as an attempt that was never made.
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
    const open = (sealed: Buffer) =>
      openSecret(sealed, options.sealingKey, delivery.tenantId, delivery.subscriptionId);
    // Failing to open one is our fault, not the receiver's: it throws, and costs the delivery no attempt.
    const secrets = [
      open(secretSealed),
      previousSecretSealed ? open(previousSecretSealed) : undefined,
    ] as const;
    const through = delivery.tenantId === CANARY_TENANT_ID ? (options.canaryAgent ?? agent) : agent;
    const at = new Date();
    const startedAt = performance.now();
    const result = await post(through, delivery, secrets, at, options.timeoutMs).catch((error: unknown) => ({
      outcome: outcomeOfError(error),
      statusCode: null,
      responseBody: null,
    }));
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
  // Ended with the attempt; one that ran on would keep all of it in memory for as long.
  using deadline = deadlineIn(timeoutMs);
  const response = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: "POST",
    body,
    signal: deadline.signal,
    onInfo: refuseTooMany(),
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

/** The envelope of the specification; the event's data goes out byte for byte as it is stored. */
function bodyOf(delivery: ClaimedDelivery, at: Date): Buffer {
  const start = JSON.stringify({
    id: delivery.deliveryId,
    type: delivery.type,
    tenant_id: delivery.tenantId,
  });
  const end = JSON.stringify({ delivered_at: at.toISOString() });
  return Buffer.from(`${start.slice(0, -1)},"data":${delivery.data},${end.slice(1)}`);
}

function refuseTooMany(): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > INTERIM_RESPONSES_MAX) throw new errors.ResponseExceededMaxSizeError();
  };
}

/** A short answer, which says how long it is, is read whole; of any other, as much as is kept. */
async function readStart({ body, headers }: Dispatcher.ResponseData): Promise<string> {
  const isShort = Number(headers["content-length"]) <= RESPONSE_BYTES_READ_MAX;
  const bytes = isShort
    ? Buffer.from(await body.arrayBuffer())
    : await readUpTo(body, RESPONSE_BYTES_READ_MAX);
  const kept = bytes.subarray(0, RESPONSE_BYTES_KEPT_MAX);
  return kept.toString("utf8").replaceAll("\u0000", "\uFFFD");
}

async function readUpTo(body: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Leaving the loop destroys the body and its socket with it.
    if (bytes >= bytesMax) break;
  }
  return Buffer.concat(chunks);
}
