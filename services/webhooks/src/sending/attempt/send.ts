// Makes one attempt: a signed POST to the subscription's URL within one deadline. It does not throw for failures of a receiver or
// the network; the outcome reveals nothing about the platform's own network.
import { CANARY_TENANT_ID } from "@tradepost/event-catalog";
import type { Agent, Dispatcher } from "undici";
import { type RequestFacts, signedRequest } from "../../delivery/delivery.ts";
import type { Outcome } from "../../delivery-status.ts";
import type { Addressed, AddressGuard, Sealing } from "../../endpoint/endpoint.ts";
import { guardedConnector, startConnections } from "./connections.ts";
import { Exchange, type Result } from "./exchange.ts";
import { type PreparedEndpoint, preparedEndpoints } from "./prepared-endpoints.ts";

export interface Attempt {
  readonly at: Date;
  readonly durationMs: number;
  readonly outcome: Outcome;
  readonly statusCode: number | null;
  readonly responseBody: string | null;
  /** How long it asks to hold the endpoint. */
  readonly holdMs: number | null;
}

/** A request and where to send it. */
type Sendable = RequestFacts & Addressed;

export type Send = (sendable: Sendable) => Promise<Attempt>;

type Post = Dispatcher.DispatchOptions & { origin: string };

const RESPONSE_HEADER_BYTES_MAX = 16 * 1024;
// Each takes about 6 KiB.
const ENDPOINTS_PREPARED_MAX = 1_000;
// A handshake takes as much processor time as ten requests. If a response says how long the receiver keeps the connection open, no
// request is sent in the last second of that time.
const IDLE_MS_MAX = 30_000;
const IDLE_MARGIN_MS = 1_000;
// An idle connection takes about 128 KiB.
const IDLE_CONNECTIONS_PER_ATTEMPT = 4;

export function startSend(options: {
  timeoutMs: number;
  concurrency: number;
  sealing: Sealing;
  guard: AddressGuard;
  /** Sends the canary's own deliveries. */
  canaryAgent?: Agent | undefined;
}) {
  const { timeoutMs, canaryAgent } = options;
  const connections = startConnections({
    idleMax: IDLE_CONNECTIONS_PER_ATTEMPT * options.concurrency,
    pipelining: 1,
    maxHeaderSize: RESPONSE_HEADER_BYTES_MAX,
    allowH2: false,
    connect: guardedConnector(timeoutMs, options.guard),
    keepAliveTimeout: IDLE_MS_MAX,
    keepAliveMaxTimeout: IDLE_MS_MAX,
    keepAliveTimeoutThreshold: IDLE_MARGIN_MS,
    // The deadline of the exchange covers headers and body.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const prepare = preparedEndpoints(options.sealing, ENDPOINTS_PREPARED_MAX);

  const sendOnce = async (post: Post): Promise<Result> => {
    const startedAt = performance.now();
    const connection = connections.take(post.origin);
    const result = await exchange(connection.client, post, timeoutMs);
    const { isReused } = connection;
    connections.give(connection);
    if (!mayResend(result, isReused)) return result;
    const fresh = connections.connect(post.origin);
    const again = await exchange(fresh.client, post, startedAt + timeoutMs - performance.now());
    connections.give(fresh);
    return again;
  };

  const send: Send = async (delivery) => {
    // If a secret cannot be opened, the platform is at fault: this throws, and no attempt is counted.
    const endpoint = prepare(delivery);
    const at = new Date();
    const startedAt = performance.now();
    const post = postOf(delivery, endpoint, at);
    const { isAnswered: _, ...result } =
      canaryAgent && delivery.tenantId === CANARY_TENANT_ID
        ? await exchange(canaryAgent, post, timeoutMs)
        : await sendOnce(post);
    return { at, durationMs: Math.round(performance.now() - startedAt), ...result };
  };
  return { send, stop: connections.stop };
}

function exchange(dispatcher: Dispatcher, post: Post, timeoutMs: number): Promise<Result> {
  return new Promise((resolve) => {
    dispatcher.dispatch(post, new Exchange(timeoutMs, resolve));
  });
}

function postOf(delivery: Sendable, endpoint: PreparedEndpoint, at: Date): Post {
  const { origin, path } = endpoint;
  return { origin, path, method: "POST", ...signedRequest(delivery, at, endpoint) };
}

/**
 * Whether to send the request once more, over a new connection. A receiver may close a used connection just when a request is sent
 * over it. Receivers recognise a delivery that arrives twice by its id. If the receiver resets connections for another reason, it
 * resets the new one too.
 */
export function mayResend({ outcome, isAnswered }: Result, isReused: boolean): boolean {
  return isReused && outcome === "connection_reset" && !isAnswered;
}
